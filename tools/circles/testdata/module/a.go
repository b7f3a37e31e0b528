package module

// F closes the circle a, b, c: through a type's method and a field.
func F(t T) int { return t.method() }

package module

// Top is used by nothing. Its local G is another one than that of c.go.
func Top() int {
	G := func(T) int { return 1 }
	return F(T{}) + G(T{})
}

package module

func G(t T) int {
	if t.field == 0 {
		return 0
	}
	return F(T{t.field - 1})
}

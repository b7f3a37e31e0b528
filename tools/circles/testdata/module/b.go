package module

import "example.com/module/lower"

type T struct{ field int }

func (t T) method() int { return G(t) + lower.One() }

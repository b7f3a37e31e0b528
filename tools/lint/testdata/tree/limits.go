package tree

// xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy

func long(n int) int {
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	n++
	return n
}

func branched(n int) int {
	for n < 9 || n < 8 {
		switch n {
		case 1, 2:
			n++
		case 3:
			n++
		default:
			n += 2
		}
	}
	if n == 0 && n > 0 {
		n++
	}
	if n == 1 && n > 0 {
		n++
	}
	if n == 2 && n > 0 {
		n++
	}
	if n == 3 && n > 0 {
		n++
	}
	if n == 4 && n > 0 {
		n++
	}
	if n == 5 && n > 0 {
		n++
	}
	if n == 6 && n > 0 {
		n++
	}
	if n == 7 && n > 0 {
		n++
	}
	f := func() bool {
		return n > 1 && n > 2 && n > 3 && n > 4 && n > 5 && n > 6 && n > 7 && n > 8 && n > 9 && n > 10
	}
	if f() {
		n++
	}
	return n
}

// öööööööööööööööööööööööööööööööööööööööööööööööööööööööööö üüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüüü

// https://example.com/xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx

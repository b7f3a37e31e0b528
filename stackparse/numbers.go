package stackparse

import "math"

// leadingUint parses the decimal digits that s begins with, and returns what follows. It refuses none and more
// than 64 bits.
func leadingUint(s []byte) (n uint64, rest []byte, ok bool) {
	i := 0
	for i < len(s) && s[i]-'0' <= 9 {
		digit := uint64(s[i] - '0')
		if i >= 19 && (n > math.MaxUint64/10 || n*10 > math.MaxUint64-digit) {
			return 0, nil, false
		}
		n = n*10 + digit
		i++
	}
	return n, s[i:], i > 0
}

// leadingHex reads "0x1f"; 0 where s begins with none, or with more than 16 digits.
func leadingHex(s []byte) (value uint64, rest []byte) {
	if len(s) < 3 || s[0] != '0' || s[1] != 'x' {
		return 0, s
	}
	i := 2
	for i < len(s) {
		d := hexDigits[s[i]]
		if d == 0 {
			break
		}
		value = value<<4 | uint64(d-1)
		i++
	}
	if i > 2+16 {
		return 0, s
	}
	return value, s[i:]
}

// hexDigits holds 1 + the value of each digit that the runtime prints, 0 for other bytes.
var hexDigits = [256]uint8{'0': 1, '1': 2, '2': 3, '3': 4, '4': 5, '5': 6, '6': 7, '7': 8, '8': 9, '9': 10, 'a': 11, 'b': 12, 'c': 13, 'd': 14, 'e': 15, 'f': 16}

func isHex(c byte) bool { return c-'0' <= 9 || c-'a' <= 5 || c-'A' <= 5 }

package framing

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// An ObjectIter walks the members of one JSON object without decoding them. It forgives what is cut off.
type ObjectIter struct {
	p []byte
	i int
}

// NewObjectIter returns one for the object that p begins with.
func NewObjectIter(p []byte) ObjectIter { return ObjectIter{p: p} }

// Next returns the next member: key and value as they stand in the text, without quotes for a string. first is the
// value's first byte: '"', '{', '[', or that of a literal.
func (it *ObjectIter) Next() (key, val []byte, first byte, ok bool) {
	p := it.p
	i := skipSpace(p, it.i)
	if i >= len(p) || (p[i] != '{' && p[i] != ',') {
		return nil, nil, 0, false
	}
	i = skipSpace(p, i+1)
	if i >= len(p) || p[i] != '"' {
		return nil, nil, 0, false
	}
	end, closed := stringEnd(p, i+1)
	if !closed {
		return nil, nil, 0, false
	}
	key = p[i+1 : end]
	i = skipSpace(p, end+1)
	if i >= len(p) || p[i] != ':' {
		return nil, nil, 0, false
	}
	i = skipSpace(p, i+1)
	if i >= len(p) {
		return nil, nil, 0, false
	}
	first = p[i]
	switch first {
	case '"':
		end, closed := stringEnd(p, i+1)
		it.i = end
		if closed {
			it.i++
		}
		return key, p[i+1 : end], first, true
	case '{', '[':
		it.i = nestedEnd(p, i)
	default:
		it.i = i
		for it.i < len(p) && p[it.i] != ',' && p[it.i] != '}' && p[it.i] > ' ' {
			it.i++
		}
	}
	return key, p[i:it.i], first, true
}

// closed reports whether the object ended where the iteration did.
func (it *ObjectIter) closed() bool {
	i := skipSpace(it.p, it.i)
	return i < len(it.p) && it.p[i] == '}'
}

func skipSpace(p []byte, i int) int {
	for i < len(p) && (p[i] == ' ' || p[i] == '\t' || p[i] == '\n' || p[i] == '\r') {
		i++
	}
	return i
}

// stringEnd returns where the quoted string that began before i ends: its closing quote, or len(p).
func stringEnd(p []byte, i int) (end int, closed bool) {
	start := i
	for {
		j := bytes.IndexByte(p[i:], '"')
		if j < 0 {
			return len(p), false
		}
		i += j
		escapes := 0
		for k := i - 1; k >= start && p[k] == '\\'; k-- {
			escapes++
		}
		if escapes%2 == 0 {
			return i, true
		}
		i++
	}
}

// nestedEnd returns the place behind the object or array that begins at i.
func nestedEnd(p []byte, i int) int {
	depth := 0
	for i < len(p) {
		switch p[i] {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
			if depth == 0 {
				return i + 1
			}
		case '"':
			i, _ = stringEnd(p, i+1)
		}
		i++
	}
	return len(p)
}

// unescape appends src to dst with its escapes resolved: JSON's and those of Go's %q. It stops at a quote that ends
// the string where quoted is set, and before an escape that src cuts off where more is set. n is how much of src
// was used, the ending quote included.
func unescape(dst, src []byte, quoted, more bool) (out []byte, n int, ended bool) {
	i := 0
	for i < len(src) {
		j := bytes.IndexByte(src[i:], '\\')
		if j < 0 {
			j = len(src) - i
		}
		if quoted {
			if q := bytes.IndexByte(src[i:i+j], '"'); q >= 0 {
				return append(dst, src[i:i+q]...), i + q + 1, true
			}
		}
		dst = append(dst, src[i:i+j]...)
		i += j
		if i >= len(src) {
			break
		}
		var used int
		dst, used = escape(dst, src[i:], more)
		if used == 0 {
			return dst, i, false
		}
		i += used
	}
	return dst, i, false
}

// escape resolves the one escape that src begins with. used is 0 where src ends before it does and more may come.
func escape(dst, src []byte, more bool) (out []byte, used int) {
	if len(src) < 2 {
		if more {
			return dst, 0
		}
		return append(dst, '\\'), 1
	}
	switch c := src[1]; c {
	case 'n':
		return append(dst, '\n'), 2
	case 't':
		return append(dst, '\t'), 2
	case 'r':
		return append(dst, '\r'), 2
	case 'b':
		return append(dst, '\b'), 2
	case 'f':
		return append(dst, '\f'), 2
	case 'v':
		return append(dst, '\v'), 2
	case 'a':
		return append(dst, '\a'), 2
	case '"', '\\', '/', '\'':
		return append(dst, c), 2
	case 'x':
		return hexEscape(dst, src, 2, more)
	case 'u':
		return hexEscape(dst, src, 4, more)
	case 'U':
		return hexEscape(dst, src, 8, more)
	}
	// Not an escape: a Windows path, say.
	return append(dst, src[0], src[1]), 2
}

// hexEscape resolves \xNN, \uNNNN and \UNNNNNNNN; two \u may make one character.
func hexEscape(dst, src []byte, digits int, more bool) (out []byte, used int) {
	if len(src) < 2+digits {
		if more {
			return dst, 0
		}
		return append(dst, src[0], src[1]), 2
	}
	v, ok := hexValue(src[2 : 2+digits])
	if !ok {
		return append(dst, src[0], src[1]), 2
	}
	used = 2 + digits
	switch {
	case digits == 2:
		return append(dst, byte(v)), used
	case digits == 4 && utf16.IsSurrogate(v):
		if more && (len(src) == 6 || len(src) < 12 && src[6] == '\\' && (len(src) == 7 || src[7] == 'u')) {
			return dst, 0
		}
		if len(src) >= 12 && src[6] == '\\' && src[7] == 'u' {
			if low, ok := hexValue(src[8:12]); ok {
				if r := utf16.DecodeRune(v, low); r != utf8.RuneError {
					return utf8.AppendRune(dst, r), 12
				}
			}
		}
		return utf8.AppendRune(dst, utf8.RuneError), used
	}
	return utf8.AppendRune(dst, v), used
}

func hexValue(p []byte) (rune, bool) {
	var v uint32
	for _, c := range p {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		v = v<<4 | uint32(c)
	}
	return rune(v), true
}

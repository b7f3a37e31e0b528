package jsonspan

import (
	"bytes"
	"slices"
	"strconv"
)

// wordBytes are those of numbers, true, false and null, and of what careless writers put there: NaN, +1.
var wordBytes = func() (t [256]bool) {
	for _, c := range "+-.0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz" {
		t[c] = true
	}
	return t
}()

// structural are the bytes that skipping a value looks at.
var structural = [256]bool{'"': true, '{': true, '[': true, '}': true, ']': true}

// IsSpace reports one of the four bytes of white space.
func IsSpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

// SkipSpace returns the position of the first byte at or behind i that is no white space, or len(b).
func SkipSpace(b []byte, i int) int {
	for i < len(b) && IsSpace(b[i]) {
		i++
	}
	return i
}

// IsObject reports whether an object begins at b[i].
func IsObject(b []byte, i int) bool { return i >= 0 && i < len(b) && b[i] == '{' }

// IsNull reports whether null begins at b[i].
func IsNull(b []byte, i int) bool { return bytes.HasPrefix(b[i:], []byte("null")) }

// IsTrue reports whether true begins at b[i].
func IsTrue(b []byte, i int) bool { return bytes.HasPrefix(b[i:], []byte("true")) }

// EndsWord reports whether a number or a literal that was read up to i ends there.
func EndsWord(b []byte, i int) bool { return i >= len(b) || !wordBytes[b[i]] }

// StringEnd returns the position of the quote that ends the string whose text is at b[i:], or Cut.
func StringEnd(b []byte, i int) int {
	for start := i; ; i++ {
		q := bytes.IndexByte(b[i:], '"')
		if q < 0 {
			return Cut
		}
		i += q
		if i == start || b[i-1] != '\\' || !oddSlashes(b[start:i]) {
			return i
		}
	}
}

// oddSlashes reports whether text ends in an odd number of backslashes: the byte behind it is escaped.
func oddSlashes(text []byte) bool {
	i := len(text)
	for i > 0 && text[i-1] == '\\' {
		i--
	}
	return (len(text)-i)%2 == 1
}

// SkipString returns the position behind the string whose opening quote is b[i].
func SkipString(b []byte, i int) int {
	if end := StringEnd(b, i+1); end >= 0 {
		return end + 1
	}
	return Cut
}

// SkipValue returns the position behind the value that begins at b[i]. A number at the end of b may go on behind it.
func SkipValue(b []byte, i int) int {
	if i >= len(b) {
		return Cut
	}
	switch b[i] {
	case '"':
		return SkipString(b, i)
	case '{', '[':
		end, _, _ := skipNested(b, i, 0)
		return end
	}
	start := i
	for i < len(b) && wordBytes[b[i]] {
		i++
	}
	if i == start {
		return Broken
	}
	return i
}

// skipNested returns the position behind the bracket that closes the outermost one; depth are open at b[i]. Where b
// ends before that, open is how many are, and text where the text of the string that b ends in begins, or -1.
func skipNested(b []byte, i, depth int) (end, open, text int) {
	for ; i < len(b); i++ {
		c := b[i]
		if !structural[c] {
			continue
		}
		switch c {
		case '"':
			quote := StringEnd(b, i+1)
			if quote < 0 {
				return Cut, depth, i + 1
			}
			i = quote
		case '{', '[':
			if depth++; depth > MaxDepth {
				return Broken, depth, -1
			}
		default:
			if depth--; depth <= 0 {
				return i + 1, 0, -1
			}
		}
	}
	return Cut, depth, -1
}

// Member returns the next member of an object: its key, between the quotes, and the position of its value. i is behind
// the object's opening brace or behind the value before. At the object's end key is nil and val the position behind the
// brace.
func Member(b []byte, i int) (key []byte, val int) {
	first := i > 0 && b[i-1] == '{'
	if i = SkipSpace(b, i); i >= len(b) {
		return nil, Cut
	}
	switch c := b[i]; {
	case c == '}':
		return nil, i + 1
	case c == ',' && !first:
		i = SkipSpace(b, i+1)
	case !first:
		return nil, Broken
	}
	if i >= len(b) {
		return nil, Cut
	}
	if b[i] != '"' {
		return nil, Broken
	}
	end := StringEnd(b, i+1)
	if end < 0 {
		return nil, Cut
	}
	key = b[i+1 : end : end]
	if i = SkipSpace(b, end+1); i >= len(b) {
		return nil, Cut
	}
	if b[i] != ':' {
		return nil, Broken
	}
	if i = SkipSpace(b, i+1); i >= len(b) {
		return nil, Cut
	}
	return key, i
}

// EachMember calls f with each member of the object at b[i] and returns the position behind it; f returns that behind
// the member's value, or 0 to skip it. Another value is skipped.
func EachMember(b []byte, i int, f func(key []byte, val int) int) int {
	if !IsObject(b, i) {
		return SkipValue(b, i)
	}
	for i++; ; {
		key, val := Member(b, i)
		if key == nil || val < 0 {
			return val
		}
		if i = f(key, val); i == 0 {
			i = SkipValue(b, val)
		}
		if i < 0 {
			return i
		}
	}
}

// ListIn returns the position of the bracket of the list that is, under one of these names, in the object that begins
// b; -1 where there is none. looked is how far it looked.
func ListIn(b []byte, names ...string) (pos, looked int) {
	pos = -1
	if !slices.ContainsFunc(names, func(name string) bool { return bytes.Contains(b, []byte(name)) }) {
		return pos, len(b) // the usual case
	}
	end := EachMember(b, 0, func(key []byte, v int) int {
		if b[v] == '[' && slices.Contains(names, string(key)) {
			pos = v
			return Cut // nothing more is looked for
		}
		return 0
	})
	if end < 0 {
		end = len(b)
	}
	return pos, max(pos, end)
}

// Element returns the position of the next element of a list. i is behind the list's opening bracket or behind the
// element before. At the list's end more is false and pos is behind the bracket.
func Element(b []byte, i int) (pos int, more bool) {
	first := i > 0 && b[i-1] == '['
	if i = SkipSpace(b, i); i >= len(b) {
		return Cut, false
	}
	switch c := b[i]; {
	case c == ']':
		return i + 1, false
	case c == ',' && !first:
		if i = SkipSpace(b, i+1); i >= len(b) {
			return Cut, false
		}
	case !first:
		return Broken, false
	}
	return i, true
}

// EachElement calls f with the position of each element of the list at b[i] and returns the position behind it; f
// returns that behind the element, or 0 to skip it. Another value is skipped.
func EachElement(b []byte, i int, f func(at int) int) int {
	if i >= len(b) || b[i] != '[' {
		return SkipValue(b, i)
	}
	for i++; ; {
		at, more := Element(b, i)
		if at < 0 || !more {
			return at
		}
		if i = f(at); i == 0 {
			i = SkipValue(b, at)
		}
		if i < 0 {
			return i
		}
	}
}

// Number reads the whole number of up to nine digits at b[i], 0 for any other value, and returns the end.
func Number(b []byte, i int) (n, end int) {
	if end = SkipValue(b, i); end < 0 || end-i > 9 {
		return 0, end
	}
	n, _ = strconv.Atoi(string(b[i:end]))
	return max(n, 0), end
}

// A Skipper finds the end of one value whose text comes in pieces. The zero value is ready for a value's first byte.
type Skipper struct {
	depth   int
	begun   bool
	escaped bool // the next piece's first byte is
	in      byte // '"' in a string, 'w' in a number or literal
}

// InObject returns a Skipper for what is left of an object behind one of its members.
func InObject() Skipper { return Skipper{begun: true, depth: 1} }

// Feed takes the next piece, not empty, and returns the position in it behind the value; Cut for more to come.
func (s *Skipper) Feed(b []byte) int {
	i := 0
	if !s.begun {
		s.begun = true
		switch c := b[0]; {
		case c == '"':
			s.in, i = '"', 1
		case wordBytes[c]:
			s.in = 'w'
		case c != '{' && c != '[':
			return Broken
		}
	}
	switch s.in {
	case 'w':
		for ; i < len(b); i++ {
			if !wordBytes[b[i]] {
				return i
			}
		}
		return Cut
	case '"':
		if s.escaped {
			s.escaped = false
			i++
		}
		end := StringEnd(b, i)
		if end < 0 {
			s.escaped = oddSlashes(b[i:])
			return Cut
		}
		s.in = 0
		if i = end + 1; s.depth == 0 {
			return i
		}
	}
	end, open, text := skipNested(b, i, s.depth)
	if s.depth = open; text >= 0 {
		s.in, s.escaped = '"', oddSlashes(b[text:])
	}
	return end
}

// EndsWithText reports whether the end of the text ends the value too: it is a number or a literal.
func (s *Skipper) EndsWithText() bool { return s.in == 'w' }

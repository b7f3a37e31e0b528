package audit

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// The functions of this file walk JSON text by position and decode only what is asked for: an event's bodies are some nine
// tenths of its bytes, and nearly all of them are stepped over. They take any bytes and report -1 for what breaks off; they
// check no more of the grammar than is needed to find the next position.

// skipSpace returns the position of the first byte at or behind i that is no white space.
func skipSpace(b []byte, i int) int {
	for i < len(b) && b[i] <= ' ' {
		i++
	}
	return i
}

// skipString returns the position behind the string that begins at b[i], a quote.
func skipString(b []byte, i int) int {
	i++
	for {
		j := bytes.IndexByte(b[i:], '"')
		if j < 0 {
			return -1
		}
		i += j
		slashes := 0
		for b[i-1-slashes] == '\\' {
			slashes++
		}
		i++
		if slashes%2 == 0 {
			return i
		}
	}
}

// skipValue returns the position behind the value that begins at b[i].
func skipValue(b []byte, i int) int {
	if i >= len(b) {
		return -1
	}
	switch b[i] {
	case '"':
		return skipString(b, i)
	case '{', '[':
		return skipNested(b, i)
	}
	start := i
	for i < len(b) && !endsWord(b[i]) {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// skipNested is skipValue for objects and lists.
func skipNested(b []byte, i int) int {
	depth := 0
	for i < len(b) {
		switch b[i] {
		case '"':
			if i = skipString(b, i); i < 0 {
				return -1
			}
			continue
		case '{', '[':
			depth++
		case '}', ']':
			if depth--; depth == 0 {
				return i + 1
			}
		}
		i++
	}
	return -1
}

func endsWord(c byte) bool {
	return c <= ' ' || c == ',' || c == '}' || c == ']' || c == ':' || c == '"' || c == '{' || c == '['
}

// member reads the next member of an object; i is behind the opening brace or the value before. val is where the
// member's value begins; at the object's end key is nil and val the position behind the brace; -1 where the text breaks off.
func member(b []byte, i int) (key []byte, val int) {
	for i < len(b) && (b[i] <= ' ' || b[i] == ',') {
		i++
	}
	if i >= len(b) {
		return nil, -1
	}
	if b[i] == '}' {
		return nil, i + 1
	}
	if b[i] != '"' {
		return nil, -1
	}
	end := skipString(b, i)
	if end < 0 {
		return nil, -1
	}
	key = b[i+1 : end-1 : end-1]
	i = skipSpace(b, end)
	if i >= len(b) || b[i] != ':' {
		return nil, -1
	}
	if i = skipSpace(b, i+1); i >= len(b) {
		return nil, -1
	}
	return key, i
}

// eachMember calls f with each member of the object at b[v]; f returns the position behind the value.
func eachMember(b []byte, v int, f func(key []byte, v int) int) int {
	if !isObject(b, v) {
		return skipValue(b, v)
	}
	for i := v + 1; ; {
		key, v := member(b, i)
		if key == nil || v < 0 {
			return v
		}
		if i = f(key, v); i < 0 {
			return -1
		}
	}
}

// element returns where the next element of a list begins; i is behind the opening bracket or the element before. At
// the list's end more is false and pos behind the bracket; pos is -1 where the text breaks off.
func element(b []byte, i int) (pos int, more bool) {
	for i < len(b) && (b[i] <= ' ' || b[i] == ',') {
		i++
	}
	if i >= len(b) {
		return -1, false
	}
	if b[i] == ']' {
		return i + 1, false
	}
	return i, true
}

// isObject reports whether an object begins at b[i].
func isObject(b []byte, i int) bool { return i >= 0 && i < len(b) && b[i] == '{' }

// An arena holds the text of strings that had escapes, until the next reset.
type arena []byte

// text decodes the string at b[i] and returns the position behind it. A value that is no string gives nil: what a field
// should not hold is no fact. Without escapes the result is a part of b.
func (a *arena) text(b []byte, i int) ([]byte, int) {
	end := skipValue(b, i)
	if end < 0 || b[i] != '"' {
		return nil, end
	}
	raw := b[i+1 : end-1 : end-1]
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw, end
	}
	from := len(*a)
	*a = unescape(*a, raw)
	return (*a)[from:len(*a):len(*a)], end
}

// unescape appends raw, the inside of a JSON string, without its escapes. Lone surrogates and unknown escapes become U+FFFD.
func unescape(dst, raw []byte) []byte {
	for {
		j := bytes.IndexByte(raw, '\\')
		if j < 0 || j+1 >= len(raw) {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:j]...)
		c := raw[j+1]
		raw = raw[j+2:]
		switch c {
		case 'n':
			dst = append(dst, '\n')
		case 't':
			dst = append(dst, '\t')
		case 'r':
			dst = append(dst, '\r')
		case 'b':
			dst = append(dst, '\b')
		case 'f':
			dst = append(dst, '\f')
		case '"', '\\', '/':
			dst = append(dst, c)
		case 'u':
			var r rune
			if r, raw = hexRune(raw); utf16.IsSurrogate(r) {
				r, raw = secondHalf(r, raw)
			}
			dst = utf8.AppendRune(dst, r)
		default:
			dst = utf8.AppendRune(dst, utf8.RuneError)
		}
	}
}

func hexRune(raw []byte) (rune, []byte) {
	if len(raw) < 4 {
		return utf8.RuneError, nil
	}
	n, err := strconv.ParseUint(string(raw[:4]), 16, 16)
	if err != nil {
		return utf8.RuneError, raw[4:]
	}
	return rune(n), raw[4:]
}

func secondHalf(r rune, raw []byte) (rune, []byte) {
	if !bytes.HasPrefix(raw, []byte(`\u`)) {
		return utf8.RuneError, raw
	}
	r2, rest := hexRune(raw[2:])
	if full := utf16.DecodeRune(r, r2); full != utf8.RuneError {
		return full, rest
	}
	return utf8.RuneError, raw
}

// number reads a small non-negative whole number at b[i]; anything else is 0.
func number(b []byte, i int) (n, end int) {
	if end = skipValue(b, i); end < 0 {
		return 0, -1
	}
	if end-i > 9 {
		return 0, end
	}
	for _, c := range b[i:end] {
		if c < '0' || c > '9' {
			return 0, end
		}
		n = n*10 + int(c-'0')
	}
	return n, end
}

// isNull reports whether the value at b[i] is null.
func isNull(b []byte, i int) bool { return bytes.HasPrefix(b[i:], []byte("null")) }

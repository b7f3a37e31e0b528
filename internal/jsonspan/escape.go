package jsonspan

import (
	"bytes"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// escapes are the characters of the escapes of two bytes, by the second.
var escapes = [256]byte{'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t'}

// AppendUnquoted appends the text of a string, given without its quotes. Half a surrogate pair becomes U+FFFD.
func AppendUnquoted(dst, raw []byte) []byte {
	for {
		i := bytes.IndexByte(raw, '\\')
		if i < 0 {
			return append(dst, raw...)
		}
		dst = append(dst, raw[:i]...)
		raw = raw[i:]
		out, n := AppendEscape(dst, raw, false)
		if n < 0 {
			n = min(2, len(raw))
			out = append(dst, raw[:n]...)
		}
		dst, raw = out, raw[n:]
	}
}

// AppendEscape appends the character of the escape that raw begins with and returns the escape's length; Cut where raw
// ends in it, Broken where JSON has no such escape. more says that the string goes on behind raw, perhaps with the
// second half of a surrogate pair.
func AppendEscape(dst, raw []byte, more bool) (out []byte, n int) {
	if len(raw) < 2 {
		return dst, Cut
	}
	if raw[1] != 'u' {
		if c := escapes[raw[1]]; c != 0 {
			return append(dst, c), 2
		}
		return dst, Broken
	}
	if len(raw) < 6 {
		return dst, Cut
	}
	r, ok := Hex(raw[2:6])
	if !ok {
		return dst, Broken
	}
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(dst, r), 6
	}
	const next = `\u`
	switch rest := raw[6:]; {
	case len(rest) >= 6 && string(rest[:2]) == next:
		low, ok := Hex(rest[2:6])
		if full := utf16.DecodeRune(r, low); ok && full != utf8.RuneError {
			return utf8.AppendRune(dst, full), 12
		}
	case more && len(rest) < 6 && string(rest[:min(2, len(rest))]) == next[:min(2, len(rest))]:
		return dst, Cut
	}
	return utf8.AppendRune(dst, utf8.RuneError), 6
}

// Hex reads at most eight hexadecimal digits.
func Hex(digits []byte) (rune, bool) {
	v, err := strconv.ParseUint(string(digits), 16, 32)
	return rune(v), err == nil
}

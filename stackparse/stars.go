package stackparse

import "bytes"

// restoreStars gives a method's pointer receiver the asterisk back that a page lost: Markdown takes two of them on a
// line for emphasis, and what was converted from it writes an underscore, a backslash or nothing:
//
//	sync.(_Mutex).Lock   sync.(\*Mutex).Lock   sync.(Mutex).Lock
//
// The compiler writes parentheses around a receiver for pointers only.
func restoreStars(fn []byte) []byte {
	open := bytes.Index(fn, []byte(".("))
	if open < 0 || open+2 >= len(fn) || fn[open+2] == '*' {
		return fn
	}
	from := open + 2
	if rest := fn[from:]; rest[0] == '_' {
		from++
	} else if bytes.HasPrefix(rest, []byte(`\*`)) {
		from += 2
	}
	end := from
	for end < len(fn) && isIdentifier(fn[end]) {
		end++
	}
	if end == from || end+1 >= len(fn) || fn[end] != ')' && fn[end] != '[' || !bytes.Contains(fn[end:], []byte(").")) {
		return fn
	}
	out := make([]byte, 0, len(fn)+1)
	return append(append(append(out, fn[:open+2]...), '*'), fn[from:]...)
}

func isIdentifier(c byte) bool {
	return c == '_' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c >= 0x80
}

package kube

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"
)

// decodeScalar reads a scalar's span. column is that of the parent for block scalars. The result is b's own bytes where nothing is to
// be decoded.
func decodeScalar(b []byte, s style, column int) []byte {
	switch s {
	case single:
		if bytes.IndexByte(b, '\'') < 0 && bytes.IndexByte(b, '\n') < 0 {
			return b
		}
		return bytes.ReplaceAll(foldLines(b, false), []byte("''"), []byte("'"))
	case double:
		if bytes.IndexByte(b, '\\') < 0 && bytes.IndexByte(b, '\n') < 0 {
			return b
		}
		return unescape(foldLines(b, true))
	case plainLines:
		return foldLines(b, false)
	case literal:
		return blockScalar(b, column)
	}
	return b
}

// foldLines joins the lines of a flow scalar: one line break is a space, each empty line a line break. An
// escaped line break is nothing at all.
func foldLines(b []byte, escapes bool) []byte {
	if bytes.IndexByte(b, '\n') < 0 {
		return b
	}
	out := make([]byte, 0, len(b))
	for first := true; ; first = false {
		line, rest, more := bytes.Cut(b, []byte("\n"))
		if more {
			line = bytes.TrimSuffix(line, []byte("\r"))
		}
		if !first {
			line = bytes.TrimLeft(line, " \t")
		}
		if !more {
			return append(out, line...)
		}
		joined := escapes && endsInEscape(line)
		if joined {
			line = line[:len(line)-1]
		} else {
			line = trimUnescaped(line, escapes)
		}
		out = append(out, line...)
		empty := 0
		for {
			next, after, ok := bytes.Cut(rest, []byte("\n"))
			if !ok || len(bytes.TrimSpace(next)) > 0 {
				break
			}
			empty++
			rest = after
		}
		switch {
		case empty > 0:
			out = append(out, bytes.Repeat([]byte("\n"), empty)...)
		case !joined:
			out = append(out, ' ')
		}
		b = rest
	}
}

// endsInEscape reports whether b ends in an odd number of backslashes.
func endsInEscape(b []byte) bool {
	n := len(b) - len(bytes.TrimRight(b, `\`))
	return n%2 == 1
}

// trimUnescaped drops spaces at the end of b, but for one that is escaped.
func trimUnescaped(b []byte, escapes bool) []byte {
	t := bytes.TrimRight(b, " \t")
	if escapes && len(t) < len(b) && endsInEscape(t) {
		t = b[:len(t)+1]
	}
	return t
}

// unescape reads the escapes of a double-quoted string, of JSON and YAML alike. What is no escape stays as it is.
func unescape(b []byte) []byte {
	i := bytes.IndexByte(b, '\\')
	if i < 0 {
		return b
	}
	out := append(make([]byte, 0, len(b)), b[:i]...)
	for i < len(b) {
		c := b[i]
		if c != '\\' || i+1 == len(b) {
			out = append(out, c)
			i++
			continue
		}
		i += 2
		switch c = b[i-1]; c {
		case 'n':
			out = append(out, '\n')
		case 't', '\t':
			out = append(out, '\t')
		case 'r':
			out = append(out, '\r')
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case '0':
			out = append(out, 0)
		case 'a':
			out = append(out, 7)
		case 'v':
			out = append(out, 11)
		case 'e':
			out = append(out, 27)
		case 'N':
			out = append(out, "\u0085"...)
		case '_':
			out = append(out, "\u00a0"...)
		case 'L':
			out = append(out, "\u2028"...)
		case 'P':
			out = append(out, "\u2029"...)
		case 'u', 'U', 'x':
			r, n := hexEscape(b[i:], c)
			i += n
			if n == 0 {
				out = append(out, '\\', c)
				break
			}
			out = utf8.AppendRune(out, r)
		default: // \" \\ \/ and a space
			out = append(out, c)
		}
	}
	return out
}

// hexEscape reads the digits behind \x, \u or \U, and the second half of a surrogate pair. n is how many bytes it took, 0 where there
// are no such digits.
func hexEscape(b []byte, c byte) (r rune, n int) {
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	r, ok := hexRune(b, digits)
	if !ok {
		return 0, 0
	}
	if c == 'u' && utf16.IsSurrogate(r) {
		if len(b) >= 10 && b[4] == '\\' && b[5] == 'u' {
			if low, ok := hexRune(b[6:], 4); ok {
				if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
					return both, 10
				}
			}
		}
		return utf8.RuneError, 4
	}
	return r, digits
}

func hexRune(b []byte, digits int) (rune, bool) {
	if len(b) < digits {
		return 0, false
	}
	v := uint32(0)
	for _, c := range b[:digits] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c && c <= 'f':
			c -= 'a' - 10
		case 'A' <= c && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		v = v<<4 | uint32(c)
	}
	if v > utf8.MaxRune {
		return utf8.RuneError, true
	}
	return rune(v), true
}

// A blockHeader is what stands behind | or >.
type blockHeader struct {
	folded bool
	chomp  byte // '-', '+', or 0
	indent int  // explicit, 0 where it is to be found out
}

// parseBlockHeader reads a line that begins with | or >.
func parseBlockHeader(line []byte) (h blockHeader, ok bool) {
	h.folded = line[0] == '>'
	for i, c := range line[1:] {
		switch {
		case c == '-' || c == '+':
			if h.chomp != 0 {
				return h, false
			}
			h.chomp = c
		case '1' <= c && c <= '9':
			if h.indent != 0 {
				return h, false
			}
			h.indent = int(c - '0')
		case c == ' ' || c == '\t' || c == '\r':
			rest := bytes.TrimSpace(line[1+i:])
			return h, len(rest) == 0 || rest[0] == '#'
		default:
			return h, false
		}
	}
	return h, true
}

// blockScalar reads a literal or folded scalar: its header line, then its lines.
func blockScalar(b []byte, column int) []byte {
	head, body, _ := bytes.Cut(b, []byte("\n"))
	h, _ := parseBlockHeader(head)
	indent := 0
	if h.indent > 0 {
		indent = max(column, 0) + h.indent
	} else {
		indent = blockIndent(body)
	}
	var lines [][]byte
	for line := range bytes.Lines(body) {
		line = bytes.TrimSuffix(bytes.TrimSuffix(line, []byte("\n")), []byte("\r"))
		lead := len(line) - len(bytes.TrimLeft(line, " "))
		if lead == len(line) && indent == 0 {
			lead, line = 0, nil // no line says anything
		}
		lines = append(lines, line[min(indent, lead):])
	}
	end := len(lines)
	for end > 0 && len(lines[end-1]) == 0 {
		end--
	}
	blank := len(lines) - end
	out := make([]byte, 0, len(body))
	if h.folded {
		out = foldBlock(out, lines[:end])
	} else {
		for i, l := range lines[:end] {
			if i > 0 {
				out = append(out, '\n')
			}
			out = append(out, l...)
		}
	}
	switch {
	case h.chomp == '+':
		if end > 0 && bytes.HasSuffix(b, []byte("\n")) {
			out = append(out, '\n')
		}
		out = append(out, bytes.Repeat([]byte("\n"), blank)...)
	case h.chomp == 0 && end > 0 && (blank > 0 || bytes.HasSuffix(b, []byte("\n"))):
		out = append(out, '\n')
	}
	return out
}

// blockIndent is the indentation of the first line that is not empty.
func blockIndent(body []byte) int {
	for line := range bytes.Lines(body) {
		t := bytes.TrimLeft(line, " ")
		if len(t) > 0 && t[0] != '\n' && t[0] != '\r' {
			return len(line) - len(t)
		}
	}
	return 0
}

// foldBlock joins the lines of a folded scalar: a line break between two lines that begin with no space is a space.
func foldBlock(out []byte, lines [][]byte) []byte {
	spaced := func(l []byte) bool { return len(l) > 0 && (l[0] == ' ' || l[0] == '\t') }
	for i := 0; i < len(lines); i++ {
		l := lines[i]
		out = append(out, l...)
		if i+1 == len(lines) {
			break
		}
		if len(l) == 0 {
			out = append(out, '\n')
			continue
		}
		next := i + 1
		for next < len(lines) && len(lines[next]) == 0 {
			next++
		}
		switch {
		case next >= len(lines):
		case spaced(l) || spaced(lines[next]):
			out = append(out, '\n')
		case next == i+1:
			out = append(out, ' ')
		}
	}
	return out
}

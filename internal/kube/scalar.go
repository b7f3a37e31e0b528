package kube

import (
	"bytes"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/jsonspan"
)

// decodeScalar reads a scalar's span; column is the parent's, for block scalars. It may return b's own bytes.
func decodeScalar(b []byte, s scalarStyle, column int) []byte {
	switch s {
	case single:
		if bytes.IndexByte(b, '\'') < 0 && bytes.IndexByte(b, '\n') < 0 {
			return b
		}
		if b = foldLines(b, false); bytes.IndexByte(b, '\'') < 0 {
			return b
		}
		return bytes.ReplaceAll(b, []byte("''"), []byte("'"))
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

// foldLines joins the lines of a flow scalar: a line break is a space, an empty line a break, an escaped one nothing.
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
	out := make([]byte, 0, len(b))
	for ; i >= 0; i = bytes.IndexByte(b, '\\') {
		n := 0
		if out, n = jsonspan.AppendEscape(append(out, b[:i]...), b[i:], false); n < 0 {
			out, n = appendYAMLEscape(out, b[i:])
		}
		b = b[i+n:]
	}
	return append(out, b...)
}

// yamlEscapes are the escapes of two bytes that YAML has beyond JSON's.
var yamlEscapes = map[byte]string{
	'0': "\x00", 'a': "\a", 'v': "\v", 'e': "\x1b", 'N': "\u0085", '_': "\u00a0", 'L': "\u2028", 'P': "\u2029",
}

// appendYAMLEscape appends the character of an escape that JSON lacks and returns the escape's length. Any other
// escaped character is itself: a space, for example.
func appendYAMLEscape(out, b []byte) ([]byte, int) {
	if len(b) < 2 {
		return append(out, b...), len(b)
	}
	digits := 0
	switch c := b[1]; c {
	case 'u':
		return append(out, '\\', 'u'), 2
	case 'x':
		digits = 2
	case 'U':
		digits = 8
	default:
		if s, ok := yamlEscapes[c]; ok {
			return append(out, s...), 2
		}
		return append(out, c), 2
	}
	if len(b) < 2+digits {
		return append(out, b[:2]...), 2
	}
	r, ok := jsonspan.Hex(b[2 : 2+digits])
	if !ok {
		return append(out, b[:2]...), 2
	}
	return utf8.AppendRune(out, r), 2 + digits
}

// A blockHeader is what follows | or >.
type blockHeader struct {
	folded bool
	chomp  byte // '-', '+', or 0
	indent int  // explicit, 0 where it is to be found out
}

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
	head, body, _ := bytes.Cut(b, newline)
	h, _ := parseBlockHeader(head)
	indent := blockIndent(body)
	if h.indent > 0 {
		indent = max(column, 0) + h.indent
	}
	whole := make([]byte, 0, len(body))
	for line := range bytes.Lines(body) {
		rest := bytes.TrimLeft(line, " ")
		if len(bytes.TrimRight(rest, "\r\n")) > 0 || indent > 0 { // else all lines are empty
			rest = line[min(indent, len(line)-len(rest)):]
		}
		whole = append(whole, rest...)
	}
	whole = bytes.ReplaceAll(whole, []byte("\r\n"), newline)
	text := bytes.TrimRight(whole, "\n")
	end := whole[len(text):]
	if h.folded {
		text = foldBlock(text)
	}
	switch {
	case h.chomp == '-' || h.chomp == 0 && len(text) == 0:
		return text
	case h.chomp == 0:
		end = end[:min(len(end), 1)]
	}
	return append(text[:len(text):len(text)], end...)
}

func blockIndent(body []byte) int {
	for line := range bytes.Lines(body) {
		t := bytes.TrimLeft(line, " ")
		if len(t) > 0 && t[0] != '\n' && t[0] != '\r' {
			return len(line) - len(t)
		}
	}
	return 0
}

// foldBlock joins the lines of a folded scalar: a line break between two lines that begin with no space is a space, or
// nothing before empty lines.
func foldBlock(text []byte) (out []byte) {
	breaks, kept := 0, true
	for line := range bytes.SplitSeq(text, newline) {
		if len(line) > 0 {
			spaced := line[0] == ' ' || line[0] == '\t'
			switch {
			case kept || spaced:
				out = append(out, bytes.Repeat(newline, breaks)...)
			case breaks == 1:
				out = append(out, ' ')
			default:
				out = append(out, bytes.Repeat(newline, breaks-1)...)
			}
			out, kept, breaks = append(out, line...), spaced, 0
		}
		breaks++
	}
	return out
}

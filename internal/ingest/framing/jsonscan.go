package framing

import (
	"bytes"
	"unicode/utf8"

	"github.com/gotriage/triage/internal/jsonspan"
)

// An ObjectIter walks the members of one JSON object without decoding them. It forgives what is cut off.
type ObjectIter struct {
	p []byte
	i int
}

// NewObjectIter returns one for the object that p begins with.
func NewObjectIter(p []byte) ObjectIter { return ObjectIter{p: p} }

// Next returns the next member: key and value without decoding, a string's without its quotes. first is the value's
// first byte: '"', '{', '[', or that of a literal.
func (it *ObjectIter) Next() (key, val []byte, first byte, ok bool) {
	p, i := it.p, it.i
	if i == 0 {
		if i = jsonspan.SkipSpace(p, 0); !jsonspan.IsObject(p, i) {
			return nil, nil, 0, false
		}
		i++
		it.i = i
	}
	key, i = jsonspan.Member(p, i)
	if key == nil || i < 0 {
		return nil, nil, 0, false
	}
	if first = p[i]; first == '"' {
		end, closed := stringEnd(p, i+1)
		if it.i = end; closed {
			it.i++
		}
		return key, p[i+1 : end], first, true
	}
	switch end := jsonspan.SkipValue(p, i); end {
	case jsonspan.Cut:
		it.i = len(p)
	case jsonspan.Broken:
		it.i = i
	default:
		it.i = end
	}
	return key, p[i:it.i], first, true
}

// closed reports whether the object ended where the iteration did.
func (it *ObjectIter) closed() bool {
	i := jsonspan.SkipSpace(it.p, it.i)
	return i < len(it.p) && it.p[i] == '}'
}

// stringEnd returns where the quoted string that began before i ends: its closing quote, or len(p).
func stringEnd(p []byte, i int) (end int, closed bool) {
	if end = jsonspan.StringEnd(p, i); end < 0 {
		return len(p), false
	}
	return end, true
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
	out, used = jsonspan.AppendEscape(dst, src, more)
	switch {
	case used > 0:
		return out, used
	case used == jsonspan.Cut && more:
		return dst, 0
	case len(src) < 2:
		return append(dst, '\\'), 1
	}
	digits := 0
	switch c := src[1]; c {
	case 'v':
		return append(dst, '\v'), 2
	case 'a':
		return append(dst, '\a'), 2
	case '\'':
		return append(dst, c), 2
	case 'x':
		digits = 2
	case 'U':
		digits = 8
	}
	if len(src) < 2+digits && more {
		return dst, 0
	}
	if r, ok := jsonspan.Hex(src[2:min(len(src), 2+digits)]); ok && digits > 0 && len(src) >= 2+digits {
		if digits == 2 {
			return append(dst, byte(r)), 4
		}
		return utf8.AppendRune(dst, r), 10
	}
	// Not an escape: a Windows path, say.
	return append(dst, src[0], src[1]), 2
}

package framing

import "bytes"

// An escapedValue is one escaped string that is being unescaped and split into lines.
type escapedValue struct {
	r      *partialLine
	quoted bool   // it ends at a quote
	rest   []byte // an escape that its piece cut off
	inner  *partialLine
}

func (r *partialLine) newValue(quoted bool) *escapedValue {
	inner := &partialLine{s: r.s, depth: r.depth + 1, num: r.num, stream: r.stream, stamp: r.stamp}
	return &escapedValue{r: r, quoted: quoted, inner: inner}
}

// feed decodes p up to the value's end. n is how much of it was used.
func (v *escapedValue) feed(p []byte) (n int, ended bool) {
	offers := v.offers(p)
	for n < len(p) {
		if len(v.rest) > 0 {
			v.rest = append(v.rest, p[n])
			n++
			out, used, end := unescape(v.scratch(), v.rest, v.quoted, true)
			if used == 0 {
				continue
			}
			v.rest = append(v.rest[:0], v.rest[used:]...)
			if end {
				n = max(0, n-len(v.rest))
				v.rest = v.rest[:0]
			}
			v.lines(out)
			if end {
				return n, true
			}
			continue
		}
		piece := p[n:min(len(p), n+decodePiece)]
		if n < offers {
			if size := v.offer(p[n:offers]); size > 0 {
				n += size
				continue
			}
			if i := bytes.Index(piece[1:], escapedHeader); i >= 0 {
				piece = piece[:1+i+len(`\n`)]
			}
		}
		out, used, end := unescape(v.scratch(), piece, v.quoted, true)
		if used == 0 && !end {
			v.rest = append(v.rest, piece...)
			n += len(piece)
			continue
		}
		n += used
		v.keep(out)
		v.lines(out)
		if end {
			return n, true
		}
	}
	return n, false
}

// escapedHeader is how the line of a goroutine's header begins behind another.
var escapedHeader = []byte(`\ngoroutine `)

// offers returns how much of p, which begins where no escape is cut, belongs to the value; 0 where its goroutines may
// not be offered: text with bytes that the lines would lose, or that end them.
func (v *escapedValue) offers(p []byte) int {
	if v.r.s.takeGoroutine == nil || len(v.rest) > 0 {
		return 0
	}
	if v.quoted {
		end, _ := stringEnd(p, 0)
		p = p[:end]
	}
	for rest := p; len(rest) > 0 && !v.r.raw; {
		piece := rest[:min(len(rest), marksPiece)]
		rest = rest[len(piece):]
		if bytes.IndexByte(piece, 0) >= 0 || bytes.IndexByte(piece, esc) >= 0 || bytes.IndexByte(piece, '\n') >= 0 {
			return 0
		}
	}
	return len(p)
}

// offer offers the goroutines that text begins with, still escaped, and returns how much of it was taken.
func (v *escapedValue) offer(text []byte) (n int) {
	s, l := v.r.s, v.inner
	if l.open || !bytes.HasPrefix(text, goroutineWord) {
		return 0
	}
	s.out.flush()
	n, _ = s.takeGoroutine(text, LineContext{
		Num: l.num, Stream: l.stream, Stamp: l.stamp, EndStamp: l.stamp, Escaped: true,
	})
	return n
}

// scratch is the decoding buffer of this depth; deeper values have their own.
func (v *escapedValue) scratch() []byte { return v.r.s.scratch[v.r.depth][:0] }

func (v *escapedValue) keep(b []byte) { v.r.s.scratch[v.r.depth] = b[:0] }

// lines splits decoded text; its last line may go on in the next piece.
func (v *escapedValue) lines(text []byte) {
	for {
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			if len(text) > 0 {
				v.inner.feed(text)
			}
			return
		}
		if v.inner.open {
			v.inner.feed(text[:i])
			v.inner.end()
			v.inner.tail, v.inner.cut = false, false
		} else {
			v.inner.line(text[:i])
		}
		text = text[i+1:]
	}
}

// end flushes what the value's last piece left.
func (v *escapedValue) end() {
	if len(v.rest) > 0 {
		out, _, _ := unescape(nil, v.rest, v.quoted, false)
		v.rest = nil
		v.lines(out)
	}
	if v.inner.open {
		v.inner.end()
	}
}

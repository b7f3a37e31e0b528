package framing

import "bytes"

const (
	// maxPending bounds what all half-read lines of all streams hold together.
	maxPending = 64 << 20
	// maxEscapes bounds escapes within escapes: a dump in a zap record, itself a string in another collector's record.
	maxEscapes = 3
	// decodePiece is how much of an escaped value is decoded at a time.
	decodePiece = 64 << 10
)

// A partialLine is one line that comes in pieces, or one whose text holds an escaped dump. Its pieces are joined up to
// the limit of a line; an escaped dump is unescaped as it comes and never held whole.
type partialLine struct {
	s      *Scanner
	depth  int
	num    int64
	stream int32
	stamp  []byte // nil for none
	buf    []byte
	val    *escapedValue // the string value that is being streamed
	open   bool
	tail   bool // buf holds the text behind a streamed value
	cut    bool
	raw    bool // its text is as it was read, without bytes that lines lose
}

// start begins a new line.
func (r *partialLine) start(num int64, stream int32, stamp []byte) {
	r.num, r.stream, r.open, r.tail, r.cut = num, stream, true, false, false
	if stamp == nil {
		r.stamp = nil
	} else {
		r.stamp = append(r.stamp[:0], stamp...)
	}
}

// feed takes the next piece.
func (r *partialLine) feed(p []byte) {
	r.open = true
	if r.depth == 0 && (r.val != nil || len(r.buf)+len(p) > r.s.maxLine) {
		// p may lie in the arena, and streaming a value flushes it.
		r.s.hold = append(r.s.hold[:0], p...)
		p = r.s.hold
	}
	for len(p) > 0 {
		if r.val != nil {
			n, ended := r.val.feed(p)
			p = p[n:]
			if ended {
				r.endValue()
			}
			continue
		}
		if r.cut {
			return
		}
		room := min(r.s.maxLine-len(r.buf), len(p), maxPending-r.s.pending)
		if room > 0 {
			r.buf = append(r.buf, p[:room]...)
			r.s.pending += room
			p = p[room:]
			continue
		}
		if !r.overflow() {
			r.cut = true
			r.s.cutLines++
			return
		}
	}
}

// overflow decides what becomes of a line that is longer than buf may grow: where an escaped dump begins in it, it
// is streamed from here on. False means that there is none, and that the line is cut.
func (r *partialLine) overflow() bool {
	if r.depth >= maxEscapes || !looksEscaped(r.buf) {
		return false
	}
	before := len(r.buf)
	rest := r.emitEscaped(r.buf, true)
	r.s.pending -= before
	r.buf = append(r.buf[:0], rest...)
	r.s.pending += len(r.buf)
	return r.val != nil || len(r.buf) < before
}

// endValue leaves the streamed value: what follows is collected again.
func (r *partialLine) endValue() {
	r.val.end()
	r.val = nil
	r.tail = true
}

// end finishes the line.
func (r *partialLine) end() {
	if r.val != nil {
		r.endValue()
	}
	r.s.pending -= len(r.buf)
	buf := r.buf
	// The buffer is r's own until the next start.
	switch {
	case r.tail && !hasWords(buf):
	case r.depth == 0 && r.s.hasEntities(buf):
		r.entities(buf, r.num, r.stream, r.stamp)
	default:
		r.line(buf)
	}
	r.open = false
	if cap(r.buf) > 2*decodePiece {
		r.buf = nil
	} else {
		r.buf = r.buf[:0]
	}
}

// line takes a whole line, which must not lie in the arena.
func (r *partialLine) line(text []byte) {
	if r.depth < maxEscapes && looksEscaped(text) {
		if r.depth == 0 && r.s.kind == plain {
			r.s.counts[plain]--
			r.s.counts[escaped]++
			r.s.kind = escaped
		}
		r.emitEscaped(text, false)
		return
	}
	r.emit(text)
}

func (r *partialLine) emit(text []byte) {
	if n := len(text); n > 0 && text[n-1] == '\r' {
		text = text[:n-1]
	}
	if len(text) > r.s.maxLine {
		text = text[:r.s.maxLine]
		r.s.cutLines++
	}
	if bytes.IndexByte(text, esc) >= 0 {
		r.s.escBuf = appendPlain(r.s.escBuf[:0], text)
		text = r.s.escBuf
	}
	if bytes.IndexByte(text, 0) >= 0 {
		r.s.nulBuf = append(r.s.nulBuf[:0], text...)
		text = r.s.dropNULs(r.s.nulBuf)
	}
	r.s.out.addCopy(text, r.num, r.stream, r.stamp)
}

// emitEscaped emits a record that holds an escaped dump: first what introduces it, then the dump's lines. With more,
// text is the beginning of a longer line: a value that it cuts off is left in r.val to be streamed, and the text behind
// the last value comes back.
func (r *partialLine) emitEscaped(text []byte, more bool) (rest []byte) {
	isObject := !r.tail && len(text) > 0 && text[0] == '{'
	if isObject {
		if intro := r.s.introOf(text); len(intro) > 0 {
			r.emit(intro)
		}
	}
	done, found := 0, false
	for at := 0; ; {
		q := bytes.IndexByte(text[at:], '"')
		if q < 0 {
			break
		}
		start := at + q + 1
		end, closed := stringEnd(text, start)
		at = min(end+1, len(text))
		val := text[start:end]
		if !looksEscaped(val) {
			if !closed {
				break
			}
			continue
		}
		found = true
		if !isObject {
			r.emitAround(text[done : start-1])
		}
		v := r.newValue(!closed && more)
		v.feed(val)
		if !closed && more {
			r.val = v
			return nil
		}
		v.end()
		done = at
	}
	if more && found {
		r.tail = true
		return text[done:]
	}
	switch {
	case !found:
		// No quotes around it: the whole line is the text.
		v := r.newValue(false)
		v.feed(text)
		if more {
			r.val = v
			return nil
		}
		v.end()
	case !isObject:
		r.emitAround(text[done:])
	}
	return nil
}

// emitAround emits the text around a value in a line that isn't JSON, without the key that names the value.
func (r *partialLine) emitAround(text []byte) {
	text = bytes.TrimSpace(text)
	if n := len(text); n > 0 && (text[n-1] == '=' || text[n-1] == ':') {
		text = text[:bytes.LastIndexByte(text, ' ')+1]
	}
	if hasWords(text) {
		r.emit(bytes.TrimSpace(text))
	}
}

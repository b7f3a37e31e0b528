package framing

import "bytes"

// A Place is where text comes from that is offered to a Take.
type Place struct {
	Num    int64 // of the first line
	Stream int32
	// Escaped reports that the text is a part of one line, with the escapes of a JSON string: all of its lines have
	// this number.
	Escaped bool
	// Stamp is the time that the framing of the first line carries, End that of the last, nil for none. For text with a
	// Form, Form.Stamp returns the time of the last line.
	Stamp, End []byte
	// Form is how each line of the text is framed, nil where none is: text begins with that of a header, and what
	// follows its goroutine is the next line with its framing, where it has one.
	Form *Form
}

// A Take is offered text where a line begins as a goroutine's header does: what is left of a buffer or of a piece of an
// escaped value as it is written, or one goroutine with its framing taken off. It returns how many bytes and whole
// lines it took from the beginning of text, which is valid until it returns; the others are emitted.
type Take func(text []byte, at Place) (n int, lines int64)

// maxBlock bounds a goroutine whose framing is taken off before it is offered, in bytes.
const maxBlock = 64 << 10

// A joined is a framed goroutine: its lines are followed where they are, or put together.
type joined struct {
	text, stamp []byte
	host        []byte // of the header's line
	at          int    // where the line that is being scanned begins in its buffer
	rest        []byte // the buffer behind that line; nil where that is not all in one
	line        framed
	form        Form
	head        []byte // of form, where no other line overwrites it
	stream      int32  // of the lines of form
	follows     bool   // only such lines were unframed since the header
}

// again does what unframe does with a line that has the form of the last header, and so its writer.
func (s *Scanner) again(line []byte, f *framed) bool {
	k := &s.joined
	if !k.follows || s.prefix.mode != plain || !k.form.begins(line) {
		k.follows = false
		return false
	}
	k.keepHead()
	text := line[len(k.head):]
	if len(text) > 0 && text[0] >= 0x80 {
		k.follows = false
		return false
	}
	at := k.form.from
	*f = framed{
		text: s.unoctal(text), stamp: line[at:k.form.to], kind: k.form.kind, stream: k.stream, decoded: true,
	}
	return true
}

// keepHead keeps what the form compares lines with from the buffer that it lies in.
func (k *joined) keepHead() {
	k.head = append(k.head[:0], k.form.head...)
	k.form.head = k.head
}

// offerFramed offers the goroutine that f is the header of, in line: one pass over its text serves all of its lines. It
// reports whether the header was taken; what was taken behind it is no longer in joined.rest.
func (s *Scanner) offerFramed(line []byte, f *framed) bool {
	k := &s.joined
	if s.take == nil || len(k.rest) == 0 || s.esc || s.entities || s.unbroken || f.kind == plain || f.kind == quote ||
		!s.wholeLine(f) || !s.closed(f.stream) {
		return false
	}
	s.out.flush()
	at := Place{Num: s.num, Stream: f.stream}
	if f.stamp != nil {
		k.stamp = append(k.stamp[:0], f.stamp...)
		at.Stamp = k.stamp
	}
	if !k.follows {
		k.form = Form{}
		if s.last == f.kind && s.prefix.mode == plain {
			k.form = formOf(line, f)
		}
		k.stream, k.follows = f.stream, k.form.kind == syslog || k.form.kind == journald
	}
	lines := int64(0)
	if from := k.at + len(k.form.head); k.form.kind != plain && &s.buffer[from] == &f.text[0] {
		lines = s.follow(from, at)
	} else {
		lines = s.join(f, at)
	}
	k.keepHead()
	if lines == 0 {
		return false
	}
	s.num += lines - 1
	s.counts[f.kind] += lines - 1
	return true
}

// follow offers the goroutine whose header's text begins at a place of the buffer, with its framing. It returns how
// many lines were taken.
func (s *Scanner) follow(from int, at Place) int64 {
	k := &s.joined
	k.form.escapes = s.backslash
	at.Form = &k.form
	n, lines := s.take(s.buffer[from:], at)
	if n > 0 {
		k.rest = s.buffer[from+n:]
	}
	return lines
}

// join offers the goroutine of the header f with its framing taken off, up to the empty line that ends it, where its
// lines are all in the buffer and of one kind and writer. It returns how many were taken.
func (s *Scanner) join(f *framed, at Place) int64 {
	k := &s.joined
	k.text = append(append(k.text[:0], f.text...), '\n')
	last := s.last
	k.host = append(k.host[:0], s.host...)
	whole := s.joinLines(f, &at)
	s.last, s.host = last, append(s.host[:0], k.host...) // the lines may yet be read one by one
	n, lines := 0, int64(0)
	if whole {
		n, lines = s.take(k.text, at)
	}
	if n == 0 { // decoding the other lines may have overwritten this one
		f.text, f.stamp = k.text[:len(f.text)], at.Stamp
		return 0
	}
	for range lines - 1 {
		k.rest = k.rest[bytes.IndexByte(k.rest, '\n')+1:]
	}
	return lines
}

// joinLines appends the lines behind the header f to joined.text, and reports whether that is a goroutine.
func (s *Scanner) joinLines(f *framed, at *Place) bool {
	k := &s.joined
	g := &k.line
	k.follows = false
	for rest := k.rest; len(k.text) < maxBlock; {
		i := bytes.IndexByte(rest, '\n')
		if i <= 0 || rest[0] == 's' || rest[0] == '=' || rest[i-1] == '\r' {
			return false
		}
		s.unframe(rest[:i], g)
		rest = rest[i+1:]
		if g.stream == noStream {
			g.stream = s.plainStream()
		}
		if g.kind != f.kind || g.stream != f.stream || !s.wholeLine(g) || bytes.HasPrefix(g.text, goroutineWord) {
			return false
		}
		k.text = append(append(k.text, g.text...), '\n')
		if len(g.text) == 0 {
			at.End = g.stamp
			return true
		}
	}
	return false
}

// wholeLine reports whether nothing is left to do with the text of a line once its framing is off.
func (s *Scanner) wholeLine(f *framed) bool {
	n := len(f.text)
	if n == 0 {
		return !f.partial && !f.drop
	}
	return !f.partial && !f.drop && f.text[n-1] != '\r' && (f.text[0] < 'E' || f.text[0] > 'W') &&
		(!f.decoded || bytes.IndexByte(f.text, '\n') < 0 && bytes.IndexByte(f.text, esc) < 0) &&
		(!s.backslash && !f.decoded || bytes.IndexByte(f.text, '\\') < 0)
}

// closed reports whether no half-read line of a stream waits for its rest.
func (s *Scanner) closed(stream int32) bool {
	return int(stream) >= len(s.records) || s.records[stream] == nil || !s.records[stream].open
}

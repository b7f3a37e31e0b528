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

// maxOffer bounds a goroutine whose framing is taken off before it is offered, in bytes.
const maxOffer = 64 << 10

// An offer is of a framed goroutine: its lines are followed where they are, or put together.
type offer struct {
	text, stamp []byte
	host        []byte // of the header's line
	lineStart   int    // where the line that is being scanned begins in its buffer
	rest        []byte // the buffer behind that line; nil where that is not all in one
	next        content
	form        Form
	head        []byte // of form, where no other line overwrites it
	stream      int32  // of the lines of form
	sameForm    bool   // only such lines were unframed since the header
}

// unframeLikeHeader does what unframe does with a line that has the form of the last header, and so its writer.
func (s *Scanner) unframeLikeHeader(line []byte, c *content) bool {
	o := &s.offer
	if !o.sameForm || s.prefix.mode != plain || !o.form.begins(line) {
		o.sameForm = false
		return false
	}
	o.keepHead()
	text := line[len(o.head):]
	if len(text) > 0 && text[0] >= 0x80 {
		o.sameForm = false
		return false
	}
	at := o.form.from
	*c = content{
		text: s.unoctal(text), stamp: line[at:o.form.to], kind: o.form.kind, stream: o.stream, decoded: true,
	}
	return true
}

// keepHead keeps what the form compares lines with from the buffer that it lies in.
func (o *offer) keepHead() {
	o.head = append(o.head[:0], o.form.head...)
	o.form.head = o.head
}

// offerFramed offers the goroutine that c is the header of, in line: one pass over its text serves all of its lines. It
// reports whether the header was taken; what was taken behind it is no longer in offer.rest.
func (s *Scanner) offerFramed(line []byte, c *content) bool {
	o := &s.offer
	if s.take == nil || len(o.rest) == 0 || s.esc || s.entities || s.unbroken || c.kind == plain || c.kind == quote ||
		!s.wholeLine(c) || !s.closed(c.stream) {
		return false
	}
	s.out.flush()
	at := Place{Num: s.num, Stream: c.stream}
	if c.stamp != nil {
		o.stamp = append(o.stamp[:0], c.stamp...)
		at.Stamp = o.stamp
	}
	if !o.sameForm {
		o.form = Form{}
		if s.last == c.kind && s.prefix.mode == plain {
			o.form = formOf(line, c)
		}
		o.stream, o.sameForm = c.stream, o.form.kind == syslog || o.form.kind == journald
	}
	lines := int64(0)
	if from := o.lineStart + len(o.form.head); o.form.kind != plain && &s.buffer[from] == &c.text[0] {
		lines = s.follow(from, at)
	} else {
		lines = s.join(c, at)
	}
	o.keepHead()
	if lines == 0 {
		return false
	}
	s.num += lines - 1
	s.counts[c.kind] += lines - 1
	return true
}

// follow offers the goroutine whose header's text begins at a place of the buffer, with its framing. It returns how
// many lines were taken.
func (s *Scanner) follow(from int, at Place) int64 {
	o := &s.offer
	o.form.escapes = s.backslash
	at.Form = &o.form
	n, lines := s.take(s.buffer[from:], at)
	if n > 0 {
		o.rest = s.buffer[from+n:]
	}
	return lines
}

// join offers the goroutine of the header c with its framing taken off, up to the empty line that ends it, where its
// lines are all in the buffer and of one kind and writer. It returns how many were taken.
func (s *Scanner) join(c *content, at Place) int64 {
	o := &s.offer
	o.text = append(append(o.text[:0], c.text...), '\n')
	last := s.last
	o.host = append(o.host[:0], s.host...)
	whole := s.joinLines(c, &at)
	s.last, s.host = last, append(s.host[:0], o.host...) // the lines may yet be read one by one
	n, lines := 0, int64(0)
	if whole {
		n, lines = s.take(o.text, at)
	}
	if n == 0 { // decoding the other lines may have overwritten this one
		c.text, c.stamp = o.text[:len(c.text)], at.Stamp
		return 0
	}
	for range lines - 1 {
		o.rest = o.rest[bytes.IndexByte(o.rest, '\n')+1:]
	}
	return lines
}

// joinLines appends the lines behind the header c to offer.text, and reports whether that is a goroutine.
func (s *Scanner) joinLines(c *content, at *Place) bool {
	o, next := &s.offer, &s.offer.next
	o.sameForm = false
	for rest := o.rest; len(o.text) < maxOffer; {
		i := bytes.IndexByte(rest, '\n')
		if i <= 0 || rest[0] == 's' || rest[0] == '=' || rest[i-1] == '\r' {
			return false
		}
		s.unframe(rest[:i], next)
		rest = rest[i+1:]
		if next.stream == noStream {
			next.stream = s.plainStream()
		}
		if next.kind != c.kind || next.stream != c.stream || !s.wholeLine(next) ||
			bytes.HasPrefix(next.text, goroutineWord) {
			return false
		}
		o.text = append(append(o.text, next.text...), '\n')
		if len(next.text) == 0 {
			at.End = next.stamp
			return true
		}
	}
	return false
}

// wholeLine reports whether nothing is left to do with the text of a line once its framing is off.
func (s *Scanner) wholeLine(c *content) bool {
	n := len(c.text)
	if n == 0 {
		return !c.partial && !c.drop
	}
	return !c.partial && !c.drop && c.text[n-1] != '\r' && (c.text[0] < 'E' || c.text[0] > 'W') &&
		(!c.decoded || bytes.IndexByte(c.text, '\n') < 0 && bytes.IndexByte(c.text, esc) < 0) &&
		(!s.backslash && !c.decoded || bytes.IndexByte(c.text, '\\') < 0)
}

// closed reports whether no half-read line of a stream waits for its rest.
func (s *Scanner) closed(stream int32) bool {
	return int(stream) >= len(s.records) || s.records[stream] == nil || !s.records[stream].open
}

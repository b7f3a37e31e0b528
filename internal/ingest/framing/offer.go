package framing

import "bytes"

// A LineContext is what is known of the first line of a text that is offered to a TakeGoroutine.
type LineContext struct {
	Num    int64 // of the first line
	Stream int32
	// Escaped reports that the text is a part of one line, with the escapes of a JSON string: all of its lines have
	// this number.
	Escaped bool
	// Stamp is the time that the framing of the first line carries, EndStamp that of the last, nil for none. For text
	// with a Framing, LineFraming.LastStamp returns the time of the last line.
	Stamp, EndStamp []byte
	// Framing is how each line of the text is framed, nil where none is: text begins with that of a header, and what
	// follows its goroutine is the next line with its framing, where it has one.
	Framing *LineFraming
}

// A TakeGoroutine is offered text where a line begins as a goroutine's header does: what is left of a buffer or of a
// piece of an escaped value as it is written, or one goroutine with its framing taken off. It returns how many bytes
// and whole lines it took from the beginning of text, which is valid until it returns; the others are emitted.
type TakeGoroutine func(text []byte, at LineContext) (n int, lines int64)

// maxOffer bounds a goroutine whose framing is taken off before it is offered, in bytes.
const maxOffer = 64 << 10

// A goroutineOffer is what a Scanner remembers while it offers a framed goroutine: its lines are followed where they
// are, or put together.
type goroutineOffer struct {
	text, stamp []byte
	host        []byte // of the header's line
	lineStart   int    // where the line that is being scanned begins in its buffer
	rest        []byte // the buffer behind that line; nil where that is not all in one
	next        unframedLine
	framing     LineFraming
	head        []byte // of framing, where no other line overwrites it
	stream      int32  // of the lines with framing
	sameFraming bool   // only such lines were unframed since the header
}

// unframeLikeHeader does what unframe does with a line that has the framing of the last header, and so its writer.
func (s *Scanner) unframeLikeHeader(line []byte, unframed *unframedLine) bool {
	o := &s.offer
	if !o.sameFraming || s.prefix.mode != plain || !o.framing.beginsAlike(line) {
		o.sameFraming = false
		return false
	}
	o.keepHead()
	text := line[len(o.head):]
	if len(text) > 0 && text[0] >= 0x80 {
		o.sameFraming = false
		return false
	}
	at := o.framing.from
	*unframed = unframedLine{
		text: s.unoctal(text), stamp: line[at:o.framing.to], kind: o.framing.kind, stream: o.stream, decoded: true,
	}
	return true
}

// keepHead keeps what framing compares lines with from the buffer that it lies in.
func (o *goroutineOffer) keepHead() {
	o.head = append(o.head[:0], o.framing.head...)
	o.framing.head = o.head
}

// offerFramed offers the goroutine of the header that was unframed from line: one pass over its text serves all of its
// lines. It reports whether the header was taken; what was taken behind it is no longer in offer.rest.
func (s *Scanner) offerFramed(line []byte, unframed *unframedLine) bool {
	o := &s.offer
	if s.takeGoroutine == nil || len(o.rest) == 0 || s.esc || s.entities || s.unbroken ||
		unframed.kind == plain || unframed.kind == quote || !s.wholeLine(unframed) || !s.closed(unframed.stream) {
		return false
	}
	s.out.flush()
	at := LineContext{Num: s.num, Stream: unframed.stream}
	if unframed.stamp != nil {
		o.stamp = append(o.stamp[:0], unframed.stamp...)
		at.Stamp = o.stamp
	}
	if !o.sameFraming {
		o.framing = LineFraming{}
		if s.lastKind == unframed.kind && s.prefix.mode == plain {
			o.framing = lineFramingOf(line, unframed)
		}
		o.stream, o.sameFraming = unframed.stream, o.framing.kind == syslog || o.framing.kind == journald
	}
	lines := int64(0)
	if from := o.lineStart + len(o.framing.head); o.framing.kind != plain && &s.buffer[from] == &unframed.text[0] {
		lines = s.offerInPlace(from, at)
	} else {
		lines = s.offerJoined(unframed, at)
	}
	o.keepHead()
	if lines == 0 {
		return false
	}
	s.num += lines - 1
	s.counts[unframed.kind] += lines - 1
	return true
}

// offerInPlace offers the goroutine whose header's text begins at a place of the buffer, with its framing. It returns
// how many lines were taken.
func (s *Scanner) offerInPlace(from int, at LineContext) int64 {
	o := &s.offer
	o.framing.escapes = s.backslash
	at.Framing = &o.framing
	n, lines := s.takeGoroutine(s.buffer[from:], at)
	if n > 0 {
		o.rest = s.buffer[from+n:]
	}
	return lines
}

// offerJoined offers the goroutine of an unframed header with its framing taken off, up to the empty line that ends it,
// where its lines are all in the buffer and of one kind and writer. It returns how many were taken.
func (s *Scanner) offerJoined(unframed *unframedLine, at LineContext) int64 {
	o := &s.offer
	o.text = append(append(o.text[:0], unframed.text...), '\n')
	last := s.lastKind
	o.host = append(o.host[:0], s.host...)
	whole := s.joinLines(unframed, &at)
	s.lastKind, s.host = last, append(s.host[:0], o.host...) // the lines may yet be read one by one
	n, lines := 0, int64(0)
	if whole {
		n, lines = s.takeGoroutine(o.text, at)
	}
	if n == 0 { // decoding the other lines may have overwritten this one
		unframed.text, unframed.stamp = o.text[:len(unframed.text)], at.Stamp
		return 0
	}
	for range lines - 1 {
		o.rest = o.rest[bytes.IndexByte(o.rest, '\n')+1:]
	}
	return lines
}

// joinLines appends the lines behind an unframed header to offer.text, and reports whether that is a goroutine.
func (s *Scanner) joinLines(unframed *unframedLine, at *LineContext) bool {
	o, next := &s.offer, &s.offer.next
	o.sameFraming = false
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
		if next.kind != unframed.kind || next.stream != unframed.stream || !s.wholeLine(next) ||
			bytes.HasPrefix(next.text, goroutineWord) {
			return false
		}
		o.text = append(append(o.text, next.text...), '\n')
		if len(next.text) == 0 {
			at.EndStamp = next.stamp
			return true
		}
	}
	return false
}

// wholeLine reports whether nothing is left to do with the text of a line once its framing is off.
func (s *Scanner) wholeLine(unframed *unframedLine) bool {
	n := len(unframed.text)
	if n == 0 {
		return !unframed.partial && !unframed.drop
	}
	first, last := unframed.text[0], unframed.text[n-1]
	return !unframed.partial && !unframed.drop && last != '\r' && (first < 'E' || first > 'W') &&
		(!unframed.decoded || bytes.IndexByte(unframed.text, '\n') < 0 && bytes.IndexByte(unframed.text, esc) < 0) &&
		(!s.backslash && !unframed.decoded || bytes.IndexByte(unframed.text, '\\') < 0)
}

// closed reports whether no half-read line of a stream waits for its rest.
func (s *Scanner) closed(stream int32) bool {
	return int(stream) >= len(s.partialLines) || s.partialLines[stream] == nil || !s.partialLines[stream].open
}

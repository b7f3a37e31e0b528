package framing

import "bytes"

// A Place is where text comes from that is offered to a Take.
type Place struct {
	Num    int64 // of the first line
	Stream int32
	// Stamp and End are the times that the framing of the first and of the last line carries, nil for none.
	Stamp, End []byte
	// Seen is Marks.Seen of the buffer that text is the end of; nil where its framing was taken off.
	Seen any
}

// A Take is offered text where a line begins as a goroutine's header does: what is left of a plain buffer, or one
// goroutine with its framing taken off. It returns how many bytes and whole lines it took from the beginning of text,
// which is valid until it returns; the others are emitted.
type Take func(text []byte, at Place) (n int, lines int64)

// maxBlock bounds a goroutine whose framing is taken off before it is offered, in bytes.
const maxBlock = 64 << 10

// A joined is a framed goroutine whose lines are put together.
type joined struct {
	text, stamp []byte
	rest        []byte // the buffer behind the line that is being scanned; nil where that is not all in one
	line        framed
	// head is what precedes the header's text in its line, and from where to where it has the time. Nil where the
	// framing of the lines behind it is looked at anew.
	head     []byte
	from, to int
	kind     framing
}

// offerFramed puts the goroutine together that f is the header of, in line, and offers it: one pass over its text
// serves all of its lines. It reports whether the header was taken; what was taken behind it is no longer in
// joined.rest.
func (s *Scanner) offerFramed(line []byte, f *framed) bool {
	k := &s.joined
	if s.take == nil || len(k.rest) == 0 || s.esc || f.kind == plain || f.kind == quote || !s.wholeLine(f) ||
		!s.closed(f.stream) {
		return false
	}
	s.out.flush()
	k.text = append(append(k.text[:0], f.text...), '\n')
	at := Place{Num: s.num, Stream: f.stream}
	if f.stamp != nil {
		k.stamp = append(k.stamp[:0], f.stamp...)
		at.Stamp = k.stamp
	}
	k.head = nil
	if s.last == f.kind && s.prefix.mode == plain {
		k.learnHead(line, f)
	}
	last := s.last
	behind := s.join(f, &at)
	s.last = last
	n, lines := 0, int64(0)
	if behind != nil {
		n, lines = s.take(k.text, at)
	}
	if n == 0 { // decoding the other lines may have overwritten this one
		f.text, f.stamp = k.text[:len(f.text)], at.Stamp
		return false
	}
	if n < len(k.text) {
		behind = k.rest
		for range lines - 1 {
			behind = behind[bytes.IndexByte(behind, '\n')+1:]
		}
	}
	k.rest = behind
	s.num += lines - 1
	s.counts[f.kind] += lines - 1
	return true
}

// join appends the lines behind the header f to the block, up to the empty one that ends a goroutine. It returns what
// follows that in the buffer, nil where there is none or a line is not of the same kind and writer.
func (s *Scanner) join(f *framed, at *Place) []byte {
	k := &s.joined
	g := &k.line
	for rest := k.rest; len(k.text) < maxBlock; {
		i := bytes.IndexByte(rest, '\n')
		if i <= 0 || rest[0] == 's' || rest[0] == '=' || rest[i-1] == '\r' {
			return nil
		}
		if raw := rest[:i]; k.precedes(raw, s.backslash) {
			k.text = append(append(k.text, raw[len(k.head):]...), '\n')
			rest = rest[i+1:]
			if len(raw) == len(k.head) {
				at.End = raw[k.from:k.to]
				return rest
			}
			continue
		}
		s.unframe(rest[:i], g)
		rest = rest[i+1:]
		if g.stream == noStream {
			g.stream = s.plainStream()
		}
		if g.kind != f.kind || g.stream != f.stream || !s.wholeLine(g) {
			return nil
		}
		k.text = append(append(k.text, g.text...), '\n')
		if len(g.text) == 0 {
			at.End = g.stamp
			return rest
		}
	}
	return nil
}

// learnHead remembers what precedes the text of f in line, where nothing but that decides how a line is framed.
func (k *joined) learnHead(line []byte, f *framed) {
	n := len(line) - len(f.text)
	if f.kind != cri && f.kind != syslog && f.kind != journald || n <= 0 || len(f.stamp) == 0 ||
		&line[len(line)-1] != &f.text[len(f.text)-1] {
		return
	}
	i := bytes.Index(line[:n], f.stamp)
	if i < 0 || &line[i] != &f.stamp[0] {
		return
	}
	if f.kind == cri && i > 0 {
		return
	}
	k.head, k.from, k.to, k.kind = line[:n], i, i+len(f.stamp), f.kind
}

// precedes reports whether a line begins as the header's does, digits of its time excepted, and goes on with text that
// is as it was written.
func (k *joined) precedes(line []byte, backslash bool) bool {
	n := len(k.head)
	if n == 0 || len(line) < n || string(line[k.to:n]) != string(k.head[k.to:]) ||
		string(line[:k.from]) != string(k.head[:k.from]) {
		return false
	}
	if !k.sameForm(line[k.from:k.to]) {
		return false
	}
	text := line[n:]
	if len(text) == 0 {
		return true
	}
	c := text[0]
	return (c < 'E' || c > 'W') && (!backslash || bytes.IndexByte(text, '\\') < 0) &&
		(k.kind == cri || c < 0x80 && bytes.IndexByte(text, '#') < 0)
}

// sameForm reports whether the framing takes stamp for a time as it takes that of the header.
func (k *joined) sameForm(stamp []byte) bool {
	if k.kind == cri { // see unframeCRI
		const shortest = len("2026-11-20T18:05:32Z")
		return stamp[4] == '-' && stamp[10] == 'T' && stamp[16] == ':' && bytes.IndexByte(stamp[shortest:], ' ') < 0
	}
	at := 0
	const minute = len("2026-11-20T18:05")
	if len(stamp) > minute && string(stamp[:minute]) == string(k.head[k.from:k.from+minute]) {
		at = minute // most lines of one dump have that of the header
	}
	for ; at < len(stamp); at++ {
		if c, d := k.head[k.from+at], stamp[at]; d != c && (!isDigit(d) || !isDigit(c)) {
			return false
		}
	}
	return true
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

package framing

import (
	"bytes"
	"html"
)

// What pages and XML make of a dump. Reports of tests (JUnit's XML, as gotestsum and Go's own encoder write it) have a
// whole dump in one line, its line ends as entities; what is copied out of a page may have spaces that do not break.

var (
	// headerBehindEntity lacks the & that begins the entity: where URLs are logged, & is in every line, and # in none.
	headerBehindEntity = []byte("#xA;goroutine ")
	unbroken           = []byte("\u00a0")
	lineEntity         = []byte("&#xA;")
)

// lookForPages notes whether a buffer shows a dump that came through a page or XML. What is noted holds for the file.
func (s *Scanner) lookForPages(b []byte) {
	s.entities = s.entities || bytes.IndexByte(b, '&') >= 0 && bytes.Contains(b, headerBehindEntity)
	s.unbroken = s.unbroken || hasUnbrokenHeader(b)
}

// hasUnbrokenHeader reports whether a space that does not break is behind the first word of a header. Text has fewer
// such spaces than words that begin alike.
func hasUnbrokenHeader(b []byte) bool {
	for {
		i := bytes.Index(b, unbroken)
		if i < 0 || bytes.HasSuffix(b[:i], []byte("goroutine")) {
			return i >= 0
		}
		b = b[i+len(unbroken):]
	}
}

// hasEntities reports whether text has several lines, which entities separate.
func (s *Scanner) hasEntities(text []byte) bool {
	return s.entities && bytes.Contains(text, lineEntity)
}

// entities emits the lines of a text that has several.
func (r *partialLine) entities(text []byte, num int64, stream int32, stamp []byte) {
	s := r.s
	if s.kind == plain {
		s.counts[plain]--
		s.counts[escaped]++
		s.kind = escaped
	}
	s.behind = append(s.behind[:0], html.UnescapeString(string(text))...)
	r.lines(s.behind, num, stream, stamp)
}

// lines emits the lines of a text that lies neither in the arena nor in what is read.
func (r *partialLine) lines(text []byte, num int64, stream int32, stamp []byte) {
	r.start(num, stream, stamp)
	r.raw = false
	for more := true; more; {
		var line []byte
		if line, text, more = bytes.Cut(text, []byte("\n")); isCell(line) {
			r.emit(line)
		} else {
			r.line(line)
		}
	}
}

// appendBroken appends text to dst with spaces that break.
func appendBroken(dst, text []byte) []byte {
	for {
		i := bytes.Index(text, unbroken)
		if i < 0 {
			return append(dst, text...)
		}
		dst, text = append(append(dst, text[:i]...), ' '), text[i+len(unbroken):]
	}
}

package framing

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// What pages and XML make of a dump. Reports of tests (JUnit's XML, as gotestsum and Go's own encoder write it) have a
// whole dump in one line, its line ends as entities; what is copied out of a page may have spaces that do not break.

var (
	headerBehindEntity = []byte("&#xA;goroutine ")
	headerUnbroken     = []byte("goroutine\u00a0")
	unbroken           = []byte("\u00a0")
	lineEntity         = []byte("&#xA;")
)

// lookForPages notes whether a buffer shows a dump that came through a page or XML. What is noted holds for the file.
func (s *Scanner) lookForPages(b []byte) {
	s.entities = s.entities || bytes.IndexByte(b, '&') >= 0 && bytes.Contains(b, headerBehindEntity)
	s.unbroken = s.unbroken || bytes.IndexByte(b, unbroken[0]) >= 0 && bytes.Contains(b, headerUnbroken)
}

// entityLine takes a line whose text has several lines, and reports whether it was one.
func (s *Scanner) entityLine(line []byte) bool {
	if !s.entities || !bytes.Contains(line, lineEntity) {
		return false
	}
	s.counts[escaped]++
	s.kind = escaped
	s.framed = framed{stream: s.plainStream(), kind: escaped, decoded: true}
	s.framed.text = s.out.build(len(line), func(dst []byte) []byte { return appendDecoded(dst, line) })
	s.unframed(&s.framed)
	return true
}

// maxEntity is how long an entity may be: &#x10FFFF;
const maxEntity = 10

// appendDecoded appends text to dst with its entities resolved. What is none stays.
func appendDecoded(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '&')
		if i < 0 {
			return append(dst, text...)
		}
		dst, text = append(dst, text[:i]...), text[i:]
		end := bytes.IndexByte(text[:min(len(text), maxEntity)], ';')
		r := rune(-1)
		if end > 0 {
			r = entity(string(text[1:end]))
		}
		if r < 0 {
			dst, text = append(dst, '&'), text[1:]
			continue
		}
		dst, text = utf8.AppendRune(dst, r), text[end+1:]
	}
}

// entity is the character that a name without & and ; means, -1 for an unknown one.
func entity(name string) rune {
	switch name {
	case "lt":
		return '<'
	case "gt":
		return '>'
	case "amp":
		return '&'
	case "quot":
		return '"'
	case "apos":
		return '\''
	}
	if len(name) < 2 || name[0] != '#' {
		return -1
	}
	digits, base := name[1:], 10
	if digits[0] == 'x' || digits[0] == 'X' {
		digits, base = digits[1:], 16
	}
	n, err := strconv.ParseUint(digits, base, 21)
	if err != nil {
		return -1
	}
	return rune(n)
}

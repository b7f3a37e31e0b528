package redact

import "bytes"

// A pemState is that of a PEM block that began in an earlier line.
type pemState struct {
	active bool
	lines  int
	name   string // the block's pseudonym: all its lines get that of the first
}

// maxPEMLines ends a block whose end was cut off: a bundle of 200 CAs has 5,000 lines, but each its own end; the
// longest keys have 100.
const maxPEMLines = 400

// pemBegin looks at the dashes at i: of `-----BEGIN X-----`, what follows is replaced up to the end in this line, or,
// where there is none, in the lines that follow. It returns where to go on.
func (s *scan) pemBegin(i, hi int) int {
	b := s.src
	rest := b[i:hi]
	head := []byte("-----BEGIN") // a space follows, or %20 or + in URLs
	if !bytes.HasPrefix(rest, head) {
		return i + 5
	}
	k := bytes.Index(rest[len(head):], []byte("-----"))
	if k < 0 || k > 64 {
		return i + len(head)
	}
	body := i + len(head) + k + 5
	end := bytes.Index(b[body:hi], []byte("-----END"))
	if end < 0 {
		if blank(b[body:hi]) {
			s.pem = pemState{active: true}
			return hi
		}
		s.hidePEM(body, hi)
		return hi
	}
	s.hidePEM(body, body+end)
	end += body
	if k = bytes.Index(b[end+8:hi], []byte("-----")); k >= 0 && k < 64 {
		return end + 9 + k + 5
	}
	return end + 9
}

// hidePEM replaces the text between a block's lines, and keeps the line breaks at its ends, escaped ones too.
func (s *scan) hidePEM(start, end int) {
	b := s.src
	start = skipSpace(b, start, end)
	for end > start {
		c := b[end-1]
		if charClass[c]&isEnd != 0 || c == '\\' {
			end--
		} else if (c == 'n' || c == 'r') && end-2 >= start && b[end-2] == '\\' {
			end -= 2
		} else {
			break
		}
	}
	s.hide(PEM, start, end)
}

// pemIn handles a value that holds a PEM block: it is replaced as one. handled is false where there is none.
func (s *scan) pemIn(start, end int) (handled, replaced bool) {
	if !bytes.Contains(s.src[start:end], []byte("-----BEGIN")) {
		return false, false
	}
	s.text(start, end)
	return true, true
}

// pemLine replaces one line of a block: its base64 in the last word, so that what a log puts before each line stays.
func (s *scan) pemLine(lo, hi int) {
	b := s.src
	s.pem.lines++
	line := b[lo:hi]
	if bytes.Contains(line, []byte("-----")) || s.pem.lines > maxPEMLines {
		s.pem = pemState{}
		s.text(lo, hi)
		return
	}
	end := hi
	for end > lo && charClass[b[end-1]]&isEnd != 0 {
		end--
	}
	start := end
	for start > lo && charClass[b[start-1]]&isBase64 != 0 {
		start--
	}
	switch {
	case end == lo, pseudonym(b[start:end]):
	case start < end && end-start >= 2 && !bytes.Contains(line, []byte(": ")):
		if s.pem.name == "" {
			s.pem.name = s.t.names.of(PEM, b[start:end])
		}
		s.replace(start, end, s.pem.name)
	default:
		s.text(lo, hi) // a header of the block (RFC 1421) or another line in between
	}
}

func blank(b []byte) bool {
	for _, c := range b {
		if charClass[c]&isEnd == 0 {
			return false
		}
	}
	return true
}

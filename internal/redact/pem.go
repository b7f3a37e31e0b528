package redact

import "bytes"

const (
	// maxPEMLines ends a block whose end was cut off: a bundle of 200 CAs has 5,000 lines, but each its own end; the
	// longest keys have 100.
	maxPEMLines = 400
	// maxPEMStrings is the same in JSON: an entry of a journal has some 40 strings.
	maxPEMStrings = 40 * maxPEMLines
	// maxPEMFrame bounds what is compared of a frame.
	maxPEMFrame = 512
)

// pemBegin looks at the dash at i: of `-----BEGIN X-----`, what follows is replaced up to the end in this line, or,
// where there is none, in the lines that follow. It returns where to go on.
func (s *scan) pemBegin(i, hi int) int {
	b := s.src
	m := pemBegins().FindIndex(b[i:min(hi, i+maxPEMFrame)])
	if m == nil {
		return run(b, i, hi, isDash)
	}
	body := i + m[1]
	end := bytes.Index(b[body:hi], []byte("-----END"))
	if end < 0 {
		rest := skipSpace(b, skipColour(b, body, hi), hi)
		_, quoted := quoteAt(b, rest, hi)
		quoted = quoted || rest < hi && b[rest] == '\''
		active := rest == hi || quoted
		if !active {
			start, stop := pemWord(b, body, hi)
			active = start == rest && stop-start >= minPEMWord
		}
		if active {
			s.pem = pemState{active: true, frame: bytes.Clone(pemFrame(b, i))}
		}
		if quoted {
			return rest
		}
		if k := bytes.IndexAny(b[body:hi], `"'{}`); k >= 0 {
			hi = body + k
		}
		s.hidePEM(body, hi)
		return hi
	}
	s.hidePEM(body, body+end)
	end += body
	return end + len(pemEnds().Find(b[end:hi]))
}

// What begins and ends a block, the word at the end of a text, and what a text is without the line breaks, escaped
// ones, a quote's backslashes and colours around it.
var (
	pemBegins = onUse(`^-----BEGIN(?s:.){0,64}?-----`)
	pemEnds   = onUse(`^-----END(?:(?s:.){0,64}?-----)?`)
	lastWord  = onUse(`(?:^|\\+(?:u[[:xdigit:]]{4}|[a-z])|\x1b\[[\d;]*m|[^\w+/=-])((?:[\w+/=-]|\\/)*)` + lineBreaks)
	pemTrim   = onUse(`(?s)^(?:\s|\\+[ntr])*(.*?)` + lineBreaks)
)

const lineBreaks = `(?:[\x00-\x20\\]|\\[nr]|\x1b\[[\d;]*m)*$`

// hidePEM replaces the text between a block's lines, and keeps the line breaks at its ends, escaped ones too.
func (s *scan) hidePEM(start, end int) {
	m := pemTrim().FindSubmatchIndex(s.src[start:end])
	s.hide(PEM, start+m[2], start+m[3])
}

// pemLine replaces what a line holds of a block, and leaves what a log puts around it to the other detectors.
func (s *scan) pemLine(lo, hi int) {
	line := s.src[lo:hi]
	if s.pem.lines++; pemMark(line) || s.pem.lines > maxPEMLines {
		s.pem = pemState{}
		s.text(lo, hi)
		return
	}
	json := bytes.IndexByte(line, '{') >= 0
	if !json && s.pemText(lo, hi) {
		return
	}
	s.text(lo, hi) // JSON's strings are looked at by themselves
	if from := max(lo, s.from); json && s.pem.active && from < hi {
		s.pemText(from, hi) // it may be no JSON after all, or be cut
	}
}

// pemString replaces what a string of JSON holds of a block; false leaves it to the other detectors.
func (s *scan) pemString(start, end int) bool {
	if s.pem.strings++; pemMark(s.src[start:end]) || s.pem.strings > maxPEMStrings {
		s.pem = pemState{}
		return false
	}
	return s.pemText(start, end)
}

// pemMark accepts the begin and the end of a block.
func pemMark(b []byte) bool {
	return bytes.Contains(b, []byte("-----END")) || bytes.Contains(b, []byte(pemHead))
}

// pemText replaces the block's words in src[lo:hi], those that end there or at a quote. It reports whether there was
// one; the text around it is redacted then.
func (s *scan) pemText(lo, hi int) bool {
	b, from, quote, found := s.src, lo, lo, false // quote is behind the last
	open := [256]bool{}                           // by quote
	for at := lo; at <= hi; at++ {
		k := bytes.IndexAny(b[at:hi], `"'`)
		if at += k; k < 0 {
			at = hi // the end, too, where a quote is left open
		} else if open[b[at]] = !open[b[at]]; open[b[at]] {
			quote = at + 1
			continue
		}
		start, end := pemWord(b, max(from, quote), at)
		quote = at + 1
		frame := pemFrame(b, start)
		if !s.pemBody(b[start:end], frame) {
			continue
		}
		s.pem.frame = append(s.pem.frame[:0:0], frame...)
		s.text(from, start)
		if !pseudonym(b[start:end]) && !s.lex.kept[PEM] {
			if s.pem.name == "" {
				s.pem.name = s.t.names.of(PEM, b[start:end])
			}
			s.replace(start, end, s.pem.name)
		}
		from, found = end, true
	}
	if found {
		s.text(from, hi)
	}
	return found
}

// pemWord returns the word at the end of src[lo:hi], without line breaks, colours and the escape in front of it.
func pemWord(b []byte, lo, hi int) (start, end int) {
	if m := lastWord().FindSubmatchIndex(b[lo:hi]); m != nil {
		return lo + m[2], lo + m[3]
	}
	return hi, hi
}

// pemFrame is what precedes src[i] in its line, and in a quoted value no more than its key: members of JSON come in any
// order, and with any values.
func pemFrame(b []byte, i int) []byte {
	start := i
	for quotes := 0; start > 0 && i-start < maxPEMFrame && b[start-1] != '\n' && quotes < 3; start-- {
		if b[start-1] == '"' {
			quotes++
		}
	}
	return b[start:i]
}

const (
	// minPEMWord is the length from which a word of small and large letters is a block's, whatever precedes it.
	minPEMWord = 16
	// pemLineLength is below the length of all lines of a block but the last: 64 or 76, of SSH 70.
	pemLineLength = 40
)

// pemBody reports whether word, which follows frame in its line, is the block's. A short one is by its frame.
func (s *scan) pemBody(word, frame []byte) bool {
	n := len(word)
	switch {
	case pseudonym(word):
		return bytes.HasPrefix(word, []byte(PEM))
	case n < 2:
		return false
	case sameFrame(frame, s.pem.frame) || len(bytes.TrimSpace(frame)) == 0:
		return true
	case bytes.ContainsAny(word, "-_"): // of base64 in URLs, and of names
		return false
	}
	if mixed(word) && n >= pemLineLength {
		return true
	}
	quote, key := bytes.LastIndexByte(frame, '"')+1, bytes.LastIndexByte(s.pem.frame, '"')+1
	return sameFrame(frame[:quote], s.pem.frame[:key]) &&
		(n >= pemLineLength || n >= minPEMWord && mixed(word) || n >= 4 && n%4 == 0 && word[n-1] == '=')
}

// mixed accepts what has capitals and small letters.
func mixed(v []byte) bool {
	m := makeupOf(v)
	return m.capitals > 0 && m.small > 0
}

// sameFrame compares frames: numbers and times differ from line to line, and spaces with their width.
func sameFrame(a, b []byte) bool {
	steady := func(r rune) rune {
		if r <= ' ' || r >= '0' && r <= '9' || r == '.' || r == ':' || r == ',' {
			return -1
		}
		return r
	}
	return bytes.Equal(bytes.Map(steady, a), bytes.Map(steady, b))
}

// headlessPEM reports whether the line src[lo:hi] and the next one belong to a PEM block without its first line. Both
// have 64 characters of base64 (RFC 7468), or the next one is the block's last line.
func (s *scan) headlessPEM(lo, hi int) bool {
	b := s.src
	if !pemTail(b[lo:hi]) || hi+1 >= len(b) {
		return false
	}
	next := b[hi+1 : lineEnd(b, hi+1)]
	return pemTail(next) || bytes.Contains(next, []byte("-----END"))
}

// pemTail reports whether a line ends in 64 characters of base64 that are no number in hex.
func pemTail(line []byte) bool {
	line = bytes.TrimRight(line, " \r")
	at := len(line) - 64
	return at >= 0 && run(line, at, len(line), isBase64) == len(line) &&
		(at == 0 || charClass[line[at-1]]&isEnd != 0) && !bytes.ContainsAny(line[at:], "-_") && mixed(line[at:]) &&
		bytes.ContainsAny(line[at:], "ghijklmnopqrstuvwxyz")
}

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
	if dashes := []byte("-----"); !bytes.HasPrefix(b[i:hi], dashes) {
		return i + 1
	} else if !bytes.HasPrefix(b[i:hi], []byte(pemHead)) {
		return i + len(dashes)
	}
	head := i + len(pemHead)
	k := bytes.Index(b[head:hi], []byte("-----"))
	if k < 0 || k > 64 {
		return head
	}
	body := head + k + 5
	end := bytes.Index(b[body:hi], []byte("-----END"))
	if end < 0 {
		rest := skipSpace(b, skipColour(b, body, hi), hi)
		start, stop := pemWord(b, body, hi)
		_, quoted := quoteAt(b, rest, hi)
		quoted = quoted || rest < hi && b[rest] == '\''
		if rest == hi || quoted || start == rest && stop-start >= minPEMWord {
			s.pem = pemState{active: true, frame: bytes.Clone(pemFrame(b, i))}
		}
		if quoted {
			return rest
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
	start = skipSpace(s.src, start, end)
	s.hide(PEM, start, trimBreaks(s.src, start, end))
}

// trimBreaks takes line breaks off the end of src[start:end], escaped ones, a quote's backslashes and colours too.
func trimBreaks(b []byte, start, end int) int {
	for end > start {
		c := b[end-1]
		if charClass[c]&isEnd != 0 || c == '\\' {
			end--
		} else if (c == 'n' || c == 'r') && end-2 >= start && b[end-2] == '\\' {
			end -= 2
		} else if esc := bytes.LastIndexByte(b[max(start, end-8):end], 0x1b); c == 'm' && esc >= 0 {
			end = max(start, end-8) + esc
		} else {
			break
		}
	}
	return end
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
	b, from, found := s.src, lo, false
	open := [256]bool{} // by quote
	for at := lo; at <= hi; at++ {
		k := bytes.IndexAny(b[at:hi], `"'`)
		if at += k; k < 0 {
			at = hi // the end, too, where a quote is left open
		} else if open[b[at]] = !open[b[at]]; open[b[at]] {
			continue
		}
		start, end := pemWord(b, from, at)
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
	end = trimBreaks(b, lo, hi)
	start = end
	for start > lo && (charClass[b[start-1]]&isBase64 != 0 || b[start-1] == '\\' && start < end && b[start] == '/') {
		start--
	}
	if start > lo && b[start-1] == '\\' && start < end {
		if start = skipEscape(b, start-1, end); b[start-1] == '\\' {
			start++ // \b, \f
		}
	}
	if esc := bytes.LastIndexByte(b[max(lo, start-8):start], 0x1b); esc >= 0 {
		start = min(end, max(start, skipColour(b, max(lo, start-8)+esc, end)))
	}
	return min(start, end), end
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
	if pseudonym(word) {
		return bytes.HasPrefix(word, []byte(PEM))
	}
	if n < 2 {
		return false
	}
	if sameFrame(frame, s.pem.frame) || sameFrame(frame, nil) {
		return true
	}
	lower, upper := false, false
	for _, c := range word {
		if c == '-' || c == '_' {
			return false // of base64 in URLs, and of names
		}
		upper = upper || charClass[c]&isUpper != 0
		lower = lower || c >= 'a' && c <= 'z'
	}
	mixed := upper && lower
	if n >= pemLineLength && mixed {
		return true
	}
	quote, key := bytes.LastIndexByte(frame, '"')+1, bytes.LastIndexByte(s.pem.frame, '"')+1
	return sameFrame(frame[:quote], s.pem.frame[:key]) &&
		(n >= pemLineLength || n >= minPEMWord && mixed || n >= 4 && n%4 == 0 && word[n-1] == '=')
}

// sameFrame compares frames: numbers and times differ from line to line, and spaces with their width.
func sameFrame(a, b []byte) bool {
	i, j := 0, 0
	for {
		i, j = run(a, i, len(a), isEnd), run(b, j, len(b), isEnd)
		if i == len(a) || j == len(b) {
			return i == len(a) && j == len(b)
		}
		if isDigit(a[i]) && isDigit(b[j]) {
			i, j = numberEnd(a, i), numberEnd(b, j)
			continue
		}
		if a[i] != b[j] {
			return false
		}
		i++
		j++
	}
}

func numberEnd(b []byte, i int) int {
	for i < len(b) && (isDigit(b[i]) || b[i] == '.' || b[i] == ':' || b[i] == ',') {
		i++
	}
	return i
}

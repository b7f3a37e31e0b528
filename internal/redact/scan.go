package redact

import "bytes"

// A scan goes once over the bytes of a unit: a line, a document, an object of a list. It notes what is replaced; what
// stays is copied in pieces, and not at all where nothing is replaced.
type scan struct {
	t     *Text
	lex   *lexicon // as it was when the unit began
	src   []byte
	dst   []byte
	from  int // src[:from] is in dst already, where anything is
	fresh bool
	noted *[]edit // where set, replacements are noted instead of made

	edits   []edit // that are to be made in pieces of lines
	pieces  []int  // where the texts of such pieces begin
	floor   int    // behind the last escape: what a mail address may begin with
	url     int    // where the host of a URL begins, -1 for none
	depth   int    // of JSON in strings in JSON
	fails   int    // attempts to read JSON that ended early
	steps   int    // bytes that may still be looked at ahead
	secrets bool
	strict  bool // the unit is a piece: a kind that isn't in it may be Secret
	pem     pemState
	yaml    yamlState
}

const (
	// maxFails bounds the attempts to read what looks like JSON in a unit; each may go over the rest of it.
	maxFails = 64
	// maxDepth bounds JSON in strings in JSON; kubectl's last-applied annotation of a list in an audit event is three
	// deep.
	maxDepth = 6
	// minSteps and stepsEach bound looking ahead: for an object's kind, for the end of a value.
	minSteps  = 1 << 16
	stepsEach = 8
)

// reset forgets the stream before; what is known of names stays in Text.
func (s *scan) reset() {
	s.secrets, s.strict, s.pem, s.yaml = false, false, pemState{}, yamlState{}
}

// begin makes b the unit that is redacted.
func (s *scan) begin(b []byte) {
	s.lex = s.t.known.now()
	s.src, s.dst, s.from, s.fresh, s.floor, s.url, s.depth, s.fails = b, s.dst[:0], 0, true, 0, -1, 0, 0
	s.steps = minSteps + stepsEach*len(b)
}

// unit redacts b and returns b itself or what is valid until the next call.
func (s *scan) unit(b []byte, kind textKind) []byte {
	s.begin(b)
	switch kind {
	case jsonText:
		s.text(0, len(b))
	case yamlText:
		s.yamlLines()
	default:
		s.plainLines()
	}
	return s.end()
}

// end returns the unit as it is now.
func (s *scan) end() []byte {
	b := s.src
	s.src = nil
	if s.fresh {
		return b
	}
	s.dst = append(s.dst, b[s.from:]...)
	return s.dst
}

// replace replaces src[start:end] by rep.
func (s *scan) replace(start, end int, rep string) {
	if start < s.from {
		return // a value that overlaps one that was replaced already
	}
	s.fresh = false
	if s.noted != nil {
		*s.noted = append(*s.noted, edit{start, end, rep})
		s.from = end
		return
	}
	s.dst = append(s.dst, s.src[s.from:start]...)
	s.dst = append(s.dst, rep...)
	s.from = end
}

// hide replaces src[start:end] by a pseudonym, unless it is one.
func (s *scan) hide(c Class, start, end int) {
	if start < end && !pseudonym(s.src[start:end]) {
		s.replace(start, end, s.t.names.of(c, s.src[start:end]))
	}
}

// line redacts one line of a log.
func (s *scan) line(lo, hi int) {
	s.syslogHost(lo, hi)
	if s.pem.active {
		s.pemLine(lo, hi)
		return
	}
	s.text(lo, hi)
}

// text redacts src[lo:hi], any text.
func (s *scan) text(lo, hi int) {
	b := s.src
	for i := max(lo, s.from); i < hi; {
		c := b[i]
		if charClass[c]&isWord != 0 && c != '.' && c != '-' {
			i = s.word(i, hi)
			continue
		}
		switch c {
		case '\\':
			i = skipEscape(b, i, hi)
			s.floor = i
		case '{':
			i = s.brace(i, hi)
		case '-':
			if i+5 <= hi && string(b[i:i+5]) == "-----" {
				i = s.pemBegin(i, hi)
				continue
			}
			i++
		case ':':
			if end := s.ipv6(i, hi); end > 0 {
				i = end
				continue
			}
			i++
		case '@':
			s.dsn(i)
			i++
		case '$':
			i = s.cryptHash(i, hi)
		case '%': // of a URL: %2F, %3D
			i++
			if i+2 < hi && isHex(b[i]) && isHex(b[i+1]) {
				i += 2
				s.floor = i
			}
		default:
			if c >= 0x80 && len(s.lex.hide) > 0 {
				if end := s.hiddenWord(i, hi); end > 0 {
					i = end
					continue
				}
			}
			i++
		}
	}
}

// skipEscape skips \n, \t, \u0026 and their kin, so that what follows begins a word. A quote's own backslashes are
// skipped one by one.
func skipEscape(b []byte, i, hi int) int {
	for i < hi && b[i] == '\\' {
		i++
	}
	if i >= hi {
		return i
	}
	switch b[i] {
	case 'n', 't', 'r':
		return i + 1
	case 'u':
		if i+5 <= hi && isHex(b[i+1]) && isHex(b[i+2]) && isHex(b[i+3]) && isHex(b[i+4]) {
			return i + 5
		}
	}
	return i
}

// brace reads what looks like a JSON object as one.
func (s *scan) brace(i, hi int) int {
	if s.fails >= maxFails || s.depth >= maxDepth {
		return i + 1
	}
	slashes, ok := quoteAt(s.src, skipSpace(s.src, i+1, hi), hi)
	if !ok {
		return i + 1
	}
	s.depth++
	end, whole := s.object(i, hi, slashes)
	s.depth--
	if !whole {
		s.fails++
	}
	return max(end, i+1)
}

// word looks at the word that begins at i and returns where to go on.
func (s *scan) word(i, hi int) int {
	b := s.src
	flags, j := uint8(0), i
	for j < hi {
		f := charClass[b[j]]
		if f&isWord == 0 {
			break
		}
		flags |= f
		j++
	}
	if len(pemHead) < j-i && b[j-1] == 'N' && string(b[j-len(pemHead):j]) == pemHead {
		j -= len(pemHead) // behind a colour, which ends with a letter
	}
	if len(s.lex.hide) > 0 {
		if end := s.hiddenIn(i, j, hi); end > 0 {
			return end
		}
	}
	if j < hi {
		switch b[j] {
		case ':', '=', '"', '\\', ' ', '\'', '[':
			if end := s.keyed(i, j, hi); end > 0 {
				return end
			}
		case '@':
			if end := s.mail(i, j, hi); end > 0 {
				return end
			}
		}
	}
	if end := s.shaped(i, j, hi, flags); end > 0 {
		return end
	}
	inURL := s.url == i
	if flags&isNumber == 0 && j < hi && b[j] == ':' && (j-i == 2 || j-i == 4) && s.address(i, j, hi, flags) {
		return max(j, s.from) // de:ad:be:ef:00:01: its first digits are letters
	}
	if flags&(isNumber|isDot|isDash) == 0 {
		return j
	}
	k := trimEnd(b, i, j)
	if flags&isNumber != 0 && s.address(i, k, hi, flags) {
		return max(j, s.from)
	}
	if pseudonym(b[i:k]) {
		s.t.names.avoid(b[i:k])
		return j
	}
	if s.host(i, k, hi, flags, inURL) {
		return max(k, s.from)
	}
	return j
}

// trimEnd is where src[i:j] ends without the dots and hyphens at its end.
func trimEnd(b []byte, i, j int) int {
	for j > i && (b[j-1] == '.' || b[j-1] == '-') {
		j--
	}
	return j
}

// address looks for IP and MAC addresses in or at the word src[i:j]; it reports whether there was one.
func (s *scan) address(i, j, hi int, flags uint8) bool {
	b := s.src
	if j < hi && b[j] == ':' && j-i <= 4 && isHex(b[i]) {
		if end := s.ipv6(i, hi); end > 0 {
			return true
		}
		if s.mac(i, hi, ':') {
			return true
		}
	}
	if flags&isDash != 0 && j-i == 17 && s.mac(i, hi, '-') {
		return true
	}
	found := false
	if flags&isDot != 0 && bytes.Count(b[i:j], dot) >= 3 {
		found = s.quads(i, j, hi, '.')
	}
	if !found && flags&isDash != 0 && j-i >= 7 {
		found = s.quads(i, j, hi, '-')
	}
	if found && s.from < j && flags&(isDot) != 0 {
		// 10.0.0.1.nip.io: the rest is a host's name.
		s.host(s.from+1, j, hi, flags, true)
	}
	return found
}

var dot = []byte(".")

package redact

import "bytes"

const (
	// maxFails bounds the attempts to read what looks like JSON in a unit; each may go over the rest of it.
	maxFails = 64
	// maxDepth bounds JSON in strings in JSON; kubectl's last-applied annotation of a list in an audit event is three
	// deep.
	maxDepth = 6
)

// line redacts one line of a log.
func (s *scan) line(lo, hi int) {
	if name := syslogName(s.src[lo:hi]); name != nil {
		start := lo + bytes.Index(s.src[lo:hi], name)
		if s.hostValue(start, start+len(name), false) {
			s.t.learnHost(name)
		}
	}
	if s.flagLine(lo, hi) || s.passFile(lo, hi) || s.labelLine(lo, hi) {
		return
	}
	if !s.pem.active && s.headlessPEM(lo, hi) {
		s.pem = pemState{active: true, frame: bytes.Clone(pemFrame(s.src, hi-64))}
	}
	if s.pem.active {
		s.pemLine(lo, hi)
		return
	}
	if !s.blockBegins(lo, hi) {
		s.text(lo, hi)
	}
}

// runtimeLabel begins labels that say what the runtime knows of a goroutine: its state, minutes and creator, in the
// profiles of CockroachDB.
var runtimeLabel = []byte("go::")

// flagLine replaces a line that is the value of the flag that the line before is: `kubectl describe` prints each
// argument on a line of its own.
func (s *scan) flagLine(lo, hi int) bool {
	start := skipBlanks(s.src, lo, hi)
	word := bytes.TrimRight(s.src[start:hi], " \r")
	was := s.flag
	s.flag = start > lo && len(word) > 3 && word[0] == '-' && secretFlag(word)
	return was && len(word) > 0 && word[0] != '-' && bytes.IndexByte(word, ' ') < 0 &&
		s.secretValue(keyPassword, start, start+len(word), false)
}

// labels are those of a goroutine profile's line.
var labels = onUse(`"?((?:[^"\\{ ]|\\.)*)"?: ?"((?:[^"\\]|\\.)*)"`)

// labelLine replaces the values of labels: those of a goroutine profile, # labels: {"key":"value"} (runtime/pprof,
// printCountProfile), and of a goroutine in a traceback, goroutine 1 [running] {"key": "value"}:. It reports whether
// the line has any.
func (s *scan) labelLine(lo, hi int) bool {
	line := s.src[lo:hi]
	if !bytes.HasPrefix(line, []byte("# labels: {")) &&
		(!bytes.HasPrefix(line, []byte("goroutine ")) || !bytes.Contains(line, []byte("] {"))) {
		return false
	}
	for _, m := range labels().FindAllSubmatchIndex(line, -1) {
		if v := line[m[4]:m[5]]; !pseudonym(v) && !bytes.HasPrefix(line[m[2]:m[3]], runtimeLabel) {
			s.replace(lo+m[4], lo+m[5], s.t.label(string(v)))
		}
	}
	return true
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
			if i+1 < hi && charClass[b[i+1]]&isUpper != 0 {
				i = max(i+1, s.shaped(i, i+1, hi))
			} else {
				i = s.brace(i, hi)
			}
		case '[':
			if i+3 < hi && (b[i+1] == '"' || b[i+1] == '\'') && b[i+2] == '-' && s.depth < maxDepth {
				// ["--token", "x"]
				i, _ = s.tree(i, hi, 0, true)
			} else {
				i++
			}
		case '-':
			i = s.pemBegin(i, hi)
		case ':':
			i = max(s.ipv6(i, hi), i+1)
		case '@':
			s.dsn(i, hi)
			i++
		case '$', '~':
			i = max(i+1, s.shaped(i, i+1, hi))
		case '%': // of a URL: %2F, %3D
			i++
			if i+2 < hi && isHex(b[i]) && isHex(b[i+1]) {
				i += 2
				s.floor = i
			}
		default:
			if c >= 0x80 && s.lex.hide != nil {
				i = max(s.hiddenIn(i, i+1, hi), i+1)
				continue
			}
			i++
		}
	}
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
	end, whole := s.tree(i, hi, slashes, false)
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
	if end := s.secret(i, j, hi, flags); end > 0 {
		return end
	}
	inURL, k := s.url == i, trimEnd(b, i, j)
	letters := flags&(isNumber|isDot|isDash) == 0
	if letters && (j >= hi || b[j] != ':') {
		return j
	}
	if s.address(i, j, hi, flags) {
		return max(j, s.from)
	}
	if letters {
		return j
	}
	if s.hidden(i, k) {
		s.t.names.avoid(b[i:k])
		return j
	}
	if s.host(i, k, hi, flags, inURL) {
		return max(k, s.from)
	}
	return j
}

// secret replaces what the word src[i:j] is or announces: a word to hide, a key's value, a mail address, what has an
// issuer's shape, what is encoded. It returns where to go on, 0 for none.
func (s *scan) secret(i, j, hi int, flags uint8) (end int) {
	b := s.src
	if s.lex.hide != nil {
		end = s.hiddenIn(i, j, hi)
	}
	if end == 0 && j < hi {
		switch b[j] {
		case ':', '=', '"', '\\', ' ', '\'', '[', 0x1b, '>', '/':
			end = s.keyed(i, j, hi)
		case '@':
			end = s.mail(i, j, hi)
		}
	}
	if end == 0 && j < hi && b[j] == ':' && (j-i == len("Data") || j-i == len("StringData")) {
		if end = s.printed(i, hi); end == 0 {
			end = s.dataURL(i, hi)
		}
	}
	if end == 0 {
		end = s.shaped(i, j, hi)
	}
	if end == 0 && j-i == 23 && bootstrapToken(b[i:j]) {
		s.hide(Token, i, j)
		return j
	}
	if end == 0 && (j-i >= minEncoded/2 || j-i > len(gzipped64) && b[i] == 'H' && bytes.HasPrefix(b[i:j], gzipped64)) {
		end = s.encoded(i, hi)
	}
	return end
}

// address looks for IP and MAC addresses in or at the word src[i:j]; it reports whether there was one.
func (s *scan) address(i, j, hi int, flags uint8) bool {
	b := s.src
	j = trimEnd(b, i, j)
	if j < hi && b[j] == ':' && j-i <= 4 && isHex(b[i]) && (s.ipv6(i, hi) > 0 || s.mac(i, hi, ':')) ||
		flags&isDash != 0 && j-i == 17 && s.mac(i, hi, '-') || flags&isDot != 0 && j-i == 14 && s.mac(i, hi, '.') {
		return true
	}
	if flags&isNumber == 0 {
		return false
	}
	found := false
	if flags&isDot != 0 && bytes.Count(b[i:j], []byte(".")) >= 3 {
		found = s.quads(i, j, hi, '.')
	}
	if !found && flags&isDash != 0 && j-i >= 7 {
		found = s.quads(i, j, hi, '-')
	}
	if found && s.from > i && s.from < j && flags&isDot != 0 {
		// 10.0.0.1.nip.io: the rest is a host's name.
		s.host(s.from+1, j, hi, flags, true)
	}
	return found
}

// hiddenIn replaces the first word of Options.Hide in the word src[i:j], and the text before it as any word. A host's
// name is replaced whole.
func (s *scan) hiddenIn(i, j, hi int) int {
	b := s.src
	for p := i; p < j; p++ {
		if p > 0 && isAlnum(b[p-1]) {
			continue
		}
		m := s.lex.hide.FindSubmatchIndex(b[p:hi])
		if m == nil {
			continue
		}
		if k := trimEnd(b, i, j); domainName(b[i:k], s.url == i) && !s.lex.keeps(b[i:k]) {
			return 0
		}
		if p > i {
			s.word(i, p)
		}
		s.put(Word, p, p+m[3], bytes.ToLower(b[p:p+m[3]]))
		return p + m[3]
	}
	return 0
}

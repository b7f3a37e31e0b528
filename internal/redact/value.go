package redact

import (
	"bytes"
	"strings"
)

// keyed looks at what follows a word: where the word is a key with a secret behind it, the value is replaced. 0 is
// none.
func (s *scan) keyed(i, j, hi int) int {
	b := s.src
	k := j
	quoted := false
	switch b[k] {
	case ' ':
		if end := s.announced(i, j, hi); end > 0 {
			return end
		}
		if end := s.flagged(i, j, hi); end > 0 {
			return end
		}
		// `key = value`, `key : value`
		if k++; k >= hi || b[k] != '=' && b[k] != ':' {
			return 0
		}
	case '"', '\\':
		n, ok := quoteAt(b, k, hi)
		if !ok {
			return s.announced(i, j, hi)
		}
		quoted = true
		k = skipBlanks(b, k+n+1, hi)
	case '\'':
		quoted = true
		k = skipBlanks(b, k+1, hi)
	case 0x1b:
		k = skipColour(b, k, hi)
	case '>':
		return s.element(i, j, hi)
	case '/':
		return s.announced(i, j, hi)
	}
	if k >= hi || b[k] != ':' && b[k] != '=' {
		return 0
	}
	if b[k] == ':' && !quoted && k+2 < hi && b[k+1] == '/' && b[k+2] == '/' {
		return s.urlAt(k, hi)
	}
	if i > 0 && (b[i-1] == ':' || b[i-1] == '=') && pseudonym(b[i:j]) {
		return 0
	}
	return s.valued(i, j, k, hi, quoted)
}

// valued is keyed where the word from i to j is before a separator at k: quoted where it is in quotes.
func (s *scan) valued(i, j, k, hi int, quoted bool) int {
	b := s.src
	sep := b[k]
	kind := kindOfKey(b[i:j])
	if kind == keyQuery && (sep != '=' || i == 0 || b[i-1] != '?' && b[i-1] != '&') {
		kind = keyPlain
	}
	if kind == keyPlain {
		if string(b[i:j]) == "Value" && s.printedVariable(i) {
			return s.value(keyPassword, k+1, hi, false)
		}
		if end := s.announced(i, j, hi); end > 0 {
			return end
		}
		if kind = kindOfTwo(b, i, j); kind == keyPlain {
			return 0
		}
	}
	v := k + 1
	if sep == '=' && v < hi && b[v] == '>' { // of Ruby and PHP
		v++
	}
	for v < hi && (b[v] == ' ' || b[v] == '\t') {
		v++
	}
	v = skipColour(b, v, hi)
	spaced := v > k+1
	if sep == ':' && spaced {
		v += len(yamlTag().Find(b[v:hi]))
	}
	if kind == keyHost && sep == ':' && !spaced && !quoted && charClass[b[i]]&isUpper == 0 {
		return 0 // host:port
	}
	prose := sep == ':' && spaced && !quoted && !s.startsLine(i) && !quotedHeader(b, i, j)
	return s.value(kind, v, hi, prose)
}

// yamlTag is an anchor or a tag of YAML before a value: &a value, !!str value.
var yamlTag = onUse(`^[&!][\w.!-]+ `)

// quotedHeader accepts a word that begins what is in quotes and has a hyphen: curl -H 'X-Auth-Token: x'.
func quotedHeader(b []byte, i, j int) bool {
	return i > 0 && (b[i-1] == '\'' || b[i-1] == '"') && bytes.IndexByte(b[i:j], '-') > 0
}

// element replaces the text of an XML element that is named after a secret: <password>x</password>.
func (s *scan) element(i, j, hi int) int {
	b := s.src
	end := j + 1 + bytes.IndexByte(b[j+1:hi], '<')
	if i > 0 && b[i-1] == '<' && end > j && secretVariable(b[i:j]) && s.secretValue(keyPassword, j+1, end, false) {
		return end
	}
	return 0
}

// printedVariable reports whether the word at i follows the name of a secret variable, as Go prints an EnvVar:
// {Name:API_TOKEN Value:x ValueFrom:nil}.
func (s *scan) printedVariable(i int) bool {
	before := bytes.TrimRight(s.before(i), " ,\"")
	k := bytes.LastIndex(before, []byte("Name:"))
	return k >= 0 && secretVariable(bytes.Trim(before[k+len("Name:"):], "\""))
}

// startsLine reports whether i has nothing but spaces and a list's dash before it in its line.
func (s *scan) startsLine(i int) bool {
	for i--; i >= 0 && s.src[i] != '\n'; i-- {
		if c := s.src[i]; c != ' ' && c != '\t' && c != '-' && c != '>' && c != '<' { // curl -v marks headers so
			return c == 'n' && i > 0 && s.src[i-1] == '\\'
		}
	}
	return true
}

// kindOfTwo is the kind of a key of two words, the second of which is src[i:j]: API key, private key, Machine ID; and
// of variables that end in _KEY.
func kindOfTwo(b []byte, i, j int) keyKind {
	if j-i > 4 {
		if ends(b[i:j], "_KEY") {
			return keyAuth
		}
		return keyPlain
	}
	switch last := b[j-1] | 0x20; {
	case last == 'y' && bytes.EqualFold(b[i:j], []byte("key")) && has(beforeKey, wordBefore(b, i, 1, 11, " ")):
		return keyPassword
	case last == 'd' && (j-i == 2 || j-i == 4) && has(beforeID, wordBefore(b, i, 1, 11, " ")):
		return keyMachine
	}
	return keyPlain
}

var (
	beforeKey = wordSet("api access private secret encryption")
	beforeID  = wordSet("machine system")
)

// value replaces the value at v of a key of that kind and returns the offset behind it, 0 if it is left and searched as
// any text is.
func (s *scan) value(kind keyKind, v, hi int, prose bool) int {
	b := s.src
	if v >= hi {
		return 0
	}
	start, end := v, v
	switch n, quoted := quoteAt(b, v, hi); {
	case quoted:
		start = v + n + 1
		if end = closing(b, start, hi, n); end < 0 {
			end = hi
		}
		first, _, _ := bytes.Cut(b[start:end], []byte(" "))
		prose = prose && (!kind.sure() || has(afterPassword, lower(first)))
	case b[v] == '\'' || b[v] == '`':
		start, end = v+1, hi
		if n := bytes.IndexByte(b[start:hi], b[v]); n >= 0 {
			end = start + n
		}
	case b[v] == '[' && (kind == keyHeader || kind == keyCookie || kind == keyToken):
		start = v + 1
		if end = start + bytes.IndexByte(b[start:hi], ']'); end <= start {
			return 0
		}
		prose = false
	case kind == keyCookie || kind == keyHeader:
		if end += bytes.IndexAny(b[v:hi], "\"'\\]\n"); end < v {
			end = hi
		}
		end = v + len(bytes.TrimRight(b[v:end], " \t\r"))
	default:
		end = bareValue(b, v, hi)
		if end == v {
			return 0
		}
	}
	if s.secretValue(kind, start, end, prose) {
		return end
	}
	s.left = span{int32(start), int32(end)}
	return 0
}

// What a value without quotes may begin with: words in angle brackets that stand for it, as in `kubectl describe` (<set
// to the key 'pw' in secret 'web'>), the name of a hash's scheme ({SSHA}, RFC 2307, 5.3), a variable.
var (
	described = onUse(`^<[^>\n]{0,126} [^>\n]*>`)
	// As encoding/json writes <, where it is no placeholder's: one of words, or one that is closed.
	escapedBegin = onUse(`^\\u003c\w[^\s"'\\]*(?:["']|\\[^u]|\n|$)`)
	hashScheme   = onUse(`^\{[A-Z0-9.-]{1,18}\}[\w+/=-]`)
	variable     = onUse(`^\$\{[^} \t\n"']{0,125}\}`)
)

// bareValue is the end of a value without quotes: spaces and quotes end it, separators of lists and maps where
// something else follows.
func bareValue(b []byte, i, hi int) int {
	if i < hi && b[i] == '{' {
		i += max(0, len(hashScheme().Find(b[i:hi]))-1)
	}
	if i+1 < hi && (b[i] == '<' || b[i] == '{') && isAlnum(b[i+1]) && !described().Match(b[i:hi]) {
		i++ // of the value, or of a placeholder that ends where the loop ends
	} else if i < hi && b[i] == '\\' && escapedBegin().Match(b[i:hi]) {
		i += len(`\u003c`)
	}
	for ; i < hi; i++ {
		switch c := b[i]; {
		case c == '$' && i+1 < hi && b[i+1] == '{' && variable().Match(b[i:hi]):
			i += bytes.IndexByte(b[i:hi], '}')
		case charClass[c]&isEnd != 0, c == '"', c == '\'', c == '`', c == '&', c == '<', c == '\\':
			return i
		case c == ')', c == ']', c == '}', c == '>', c == ';', c == ',':
			if i+1 >= hi || charClass[b[i+1]]&isEnd != 0 || bytes.IndexByte([]byte(`)]},"'\`), b[i+1]) >= 0 ||
				isAlpha(b[i+1]) && c != ')' {
				return i
			}
		}
	}
	return i
}

// secretValue replaces src[start:end] where it is what its key promises.
func (s *scan) secretValue(kind keyKind, start, end int, prose bool) bool {
	v := s.src[start:end]
	if s.hidden(start, end) {
		return true
	}
	if kind == keyHost {
		return s.hostValue(start, end, prose)
	}
	if kind == keyMachine && !machineID(v) {
		return false
	}
	if noSecret(v) {
		return false
	}
	switch kind {
	case keyHeader:
		return s.header(start, end)
	case keyCookie:
		s.hide(Token, start, end)
		return true
	case keyDir:
		if v[0] == '/' || len(v) > 2 && v[1] == ':' {
			return false
		}
		kind = keyPassword
	case keyName:
		if objectName(v) || !drawnValue(v) && (prose || dnsName(v) && bytes.IndexByte(v, '-') > 0) {
			return false
		}
	case keyAuth:
		if len(v) < 8 || !drawnValue(v) && !basicCredentials(v) {
			return false
		}
	case keyQuery:
		if len(v) < 8 || !drawnValue(v) {
			return false
		}
	}
	if prose && !proseSecret(kind, v) {
		return false
	}
	if bytes.Contains(v, []byte(pemHead)) {
		return false // text finds the block, also where the value ends before it
	}
	s.hide(kind.class(), start, end)
	return true
}

// header replaces the credentials of an Authorization header and keeps their scheme.
func (s *scan) header(start, end int) bool {
	b := s.src
	word := start
	for word < end && (isAlpha(b[word]) || b[word] == '-') {
		word++
	}
	if word < end && b[word] == ' ' && has(schemes, lower(b[start:word])) {
		if bytes.EqualFold(b[start:word], []byte("digest")) {
			return false // of its members only response is secret: see valued
		}
		start = word + 1
	} else if !random(b[start:end]) && end-start < 16 {
		return false
	}
	if start >= end || noSecret(b[start:end]) {
		return false
	}
	s.hide(Token, start, end)
	return true
}

var schemes = wordSet("bearer basic token digest negotiate ntlm apikey aws4-hmac-sha256")

// flagged replaces the value of --password VALUE, and of a Dockerfile's ENV PASSWORD VALUE. A pseudonym behind a hyphen
// is no flag: what follows it was kept when it was given out.
func (s *scan) flagged(i, j, hi int) int {
	b := s.src
	flag := i > 0 && b[i-1] == '-' && (i < 2 || b[i-2] == '-' || charClass[b[i-2]]&isEnd != 0) && !pseudonym(b[i:j])
	if j+1 >= hi || b[j+1] == '-' ||
		!flag && (i < 4 || string(b[i-4:i]) != "ENV " || string(bytes.TrimLeft(s.before(i), " ")) != "ENV ") {
		return 0
	}
	kind := kindOfKey(b[i:j])
	if !kind.secret() || flag && kind == keyName || kind == keyDir {
		return 0
	}
	return s.value(kind, j+1, hi, false)
}

// passFile replaces the password of a line of libpq's password file, host:port:database:user:password, and reports
// whether the line is one.
func (s *scan) passFile(lo, hi int) bool {
	line := bytes.TrimRight(s.src[lo:hi], "\r")
	host := bytes.IndexByte(line, ':')
	if host < 1 || host+6 > len(line) || line[host+1] != '*' && !allDigits(line[host+1:host+5]) {
		return false
	}
	m := passLine().FindSubmatchIndex(line)
	if m == nil {
		return false
	}
	s.text(lo, lo+m[2])
	return s.secretValue(keyPassword, lo+m[2], lo+m[3], false)
}

var passLine = onUse(`^[^:" ]+:(?:\*|\d{4,}):[^: ]+:[^: ]+:([^ ]+)$`)

// dsn replaces the credentials of MySQL's user:password@tcp(host:3306)/shop, which isn't a URL; i is that of the @.
func (s *scan) dsn(i, hi int) {
	b := s.src
	if !address().Match(b[i+1 : min(hi, i+64)]) {
		return
	}
	start := max(s.from, i-256)
	m := credentialsBefore().FindSubmatchIndex(b[start:i])
	if m != nil && !bytes.Contains(b[start+m[0]:i], []byte("://")) {
		s.hide(Password, start+m[2], start+m[3])
	}
}

// credentialsBefore are a user and a password at the end of a text, the latter as its group.
var credentialsBefore = onUse("(?:^|[\x00-\x20\"'=])[^\x00-\x20\"'=:]+:([^\x00-\x20\"'/][^\x00-\x20\"']*)$")

// address is what follows the credentials of such a name: a protocol, an address in brackets, or the database's name.
var address = onUse(`^(?:(?:tcp6?|udp|unix)?\(|/\w[\w-]*(?:\?|[\s"\x27]|$))`)

// urlAt looks at the authority of the URL whose scheme ends at k; the text behind it is looked at as any other.
func (s *scan) urlAt(k, hi int) int {
	b := s.src
	start := k + 3
	end := start
	for end < hi && end-start < 4096 && charClass[b[end]]&isEnd == 0 && strings.IndexByte("/?#\"'\\<>`|", b[end]) < 0 {
		end++
	}
	if at := start + bytes.LastIndexByte(b[start:end], '@'); at > start {
		user := b[start:at]
		if bytes.IndexByte(user, ':') >= 0 || len(user) >= 16 || random(user) {
			s.hide(Token, start, at)
		}
		start = at + 1
	}
	s.url = start
	return start
}

// mail replaces the address whose local part ends at the @ at j.
func (s *scan) mail(i, j, hi int) int {
	b := s.src
	start := i
	for start > max(s.from, s.floor) && charClass[b[start-1]]&isLocal != 0 && b[start-1] != '%' {
		start--
	}
	end := run(b, j+1, hi, isWord)
	for end > j && (b[end-1] == '.' || b[end-1] == '-' || b[end-1] == '_') {
		end--
	}
	domain := b[j+1 : max(end, j+1)]
	if len(domain) < 4 || j-start > 64 || !domainName(domain, true) || end < hi && b[end] == '/' {
		return 0
	}
	if string(b[i:j]) == "git" && s.lex.keeps(domain) {
		return 0 // git@github.com:owner/repository
	}
	s.hide(Mail, start, end)
	return end
}

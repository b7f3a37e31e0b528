package redact

import "bytes"

// flagged replaces the value of --password VALUE. A pseudonym behind a hyphen is no flag: what follows it was kept when
// it was given out.
func (s *scan) flagged(i, j, hi int) int {
	b := s.src
	if i < 1 || b[i-1] != '-' {
		return 0
	}
	switch word := string(b[i:j]); word {
	case "u", "user":
		return s.login(i, j, hi)
	case "p", "P", "a", "c", "w":
		return s.shortFlag(i, j, hi)
	}
	if i > 1 && b[i-2] != '-' && charClass[b[i-2]]&isEnd == 0 || pseudonym(b[i:j]) {
		return 0
	}
	kind := kindOfKey(b[i:j])
	if !kind.secret() || kind == keyName || kind == keyDir || j+1 >= hi || b[j+1] == '-' {
		return 0
	}
	return s.value(kind, j+1, hi, 0, false, false)
}

// commandsOf are the programs whose short flags take a password, by flag: mysql -pX, sshpass -p X, docker login -p X,
// redis-cli -a X, ldapsearch -w X, sqlcmd -P X.
var commandsOf = map[byte][]string{
	'p': {"sshpass ", "docker login", "podman login", "nerdctl login", "helm registry login"},
	'P': {"sqlcmd ", "bcp "},
	'a': {"redis-cli "},
	'c': {"snmpget ", "snmpwalk ", "snmpbulkwalk "},
	'w': {"ldapsearch ", "ldapmodify ", "ldapadd "},
}

// shortFlag replaces the value of -p, -P, -a, -c and -w of the programs that take a password there.
func (s *scan) shortFlag(i, j, hi int) int {
	b := s.src
	line := s.before(i)
	for _, command := range commandsOf[b[i]] {
		if bytes.Contains(line, []byte(command)) {
			return s.value(keyPassword, j+1, hi, 0, false, false)
		}
	}
	return 0
}

// attached replaces the password of mysql -pPASSWORD, whose word begins at i.
func (s *scan) attached(i, hi int) int {
	b := s.src
	if b[i] != 'p' || i < 2 || b[i-1] != '-' || b[i-2] != ' ' || i+1 >= hi {
		return 0
	}
	line := s.before(i)
	if !bytes.Contains(line, []byte("mysql")) && !bytes.Contains(line, []byte("mariadb")) {
		return 0
	}
	return s.value(keyPassword, i+1, hi, 0, false, false)
}

// before is the text before i in its line, a bounded part of it.
func (s *scan) before(i int) []byte {
	const bound = 512
	line := s.src[max(0, i-bound):i]
	return line[bytes.LastIndexByte(line, '\n')+1:]
}

// statement replaces the quoted value behind PASSWORD and IDENTIFIED BY of SQL, and the one behind password of netrc:
// machine HOST login USER password X.
func (s *scan) statement(i, j, hi int) int {
	b := s.src
	password := j-i == len("password") && bytes.EqualFold(b[i:j], []byte("password"))
	if j+1 >= hi || !password && (j-i != 2 || !bytes.EqualFold(b[i:j], []byte("by"))) {
		return 0
	}
	line := s.before(i)
	switch {
	case b[j+1] == '\'' && (password || bytes.HasSuffix(bytes.ToLower(line), []byte("identified "))):
		return s.value(keyPassword, j+1, hi, 0, false, false)
	case password && bytes.Contains(line, []byte("machine ")) && bytes.Contains(line, []byte("login ")):
		return s.value(keyPassword, j+1, hi, 0, false, false)
	}
	return 0
}

// directive replaces the value behind a key that begins its line, of files with a space between the two: ENV KEY VALUE
// of a Dockerfile, requirepass VALUE of Redis, password VALUE of netrc, which is all of its line.
func (s *scan) directive(i, j, hi int) int {
	b := s.src
	if i > 0 && b[i-1] != ' ' && b[i-1] != '\n' || j+1 >= hi {
		return 0
	}
	first := j-i >= len("password") && j-i <= len("requirepass")
	if !first && !bytes.HasSuffix(b[:i], []byte("ENV ")) {
		return 0
	}
	switch line := bytes.TrimLeft(s.before(i), " "); {
	case string(line) == "ENV ":
		if kind := kindOfKey(b[i:j]); kind.secret() && kind != keyDir {
			return s.value(kind, j+1, hi, 0, false, false)
		}
	case len(line) > 0:
	case string(b[i:j]) == "requirepass", string(b[i:j]) == "masterauth":
		return s.value(keyPassword, j+1, hi, 0, false, false)
	case string(b[i:j]) == "password" && !bytes.ContainsAny(b[j+1:hi], " \t") && !has(afterPassword, lower(b[j+1:hi])):
		return s.value(keyPassword, j+1, hi, 0, false, false)
	}
	return 0
}

// passFile replaces the password of a line of libpq's password file, host:port:database:user:password, and reports
// whether the line is one.
func (s *scan) passFile(lo, hi int) bool {
	line := bytes.TrimRight(s.src[lo:hi], "\r")
	host := bytes.IndexByte(line, ':')
	if host < 1 || host+5 > len(line) || line[host+1] != '*' && !isDigit(line[host+1]) ||
		bytes.IndexByte(line[:host], '"') >= 0 { // a string of JSON, whose end is no part of a password
		return false
	}
	at := host + 1
	for field := range 3 {
		k := bytes.IndexByte(line[at:], ':')
		if k < 1 || field == 0 && string(line[at:at+k]) != "*" && (k < 4 || !allDigits(line[at:at+k])) {
			return false
		}
		at += k + 1
	}
	if at == len(line) || bytes.IndexByte(line, ' ') >= 0 {
		return false
	}
	s.text(lo, lo+at)
	return s.secretValue(keyPassword, lo+at, lo+len(line), false)
}

// login replaces the password of curl -u USER:PASSWORD. Elsewhere -u has other meanings: a unit, a user's and a group's
// id.
func (s *scan) login(i, j, hi int) int {
	b := s.src
	if !bytes.Contains(s.before(i), []byte("curl")) {
		return 0
	}
	v := j + 1
	if v < hi && (b[v] == '"' || b[v] == '\'') {
		v++
	}
	end := v
	for end < hi && charClass[b[end]]&isEnd == 0 && b[end] != '"' && b[end] != '\'' {
		end++
	}
	k := bytes.IndexByte(b[v:end], ':')
	if k < 1 || !s.secretValue(keyPassword, v+k+1, end, false) {
		return 0
	}
	return end
}

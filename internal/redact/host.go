package redact

import (
	"bytes"
	"strings"
)

// host replaces names of hosts in the word src[i:j]: those that the input showed first, then what has a domain. It
// reports whether it did.
func (s *scan) host(i, j, hi int, flags uint8, inURL bool) bool {
	b := s.src
	if j-i < 4 {
		return false
	}
	if found := s.learned(i, j, hi); found || flags&isDot == 0 {
		return found
	}
	j = fileStem(b, i, j)
	for i < j && b[i] == '_' { // SRV records: _etcd-server-ssl._tcp.DOMAIN
		k := bytes.IndexByte(b[i:j], '.')
		if k < 0 {
			return false
		}
		i += k + 1
	}
	if !domainName(b[i:j], inURL) || s.lex.keeps(b[i:j]) || !inURL && s.isPath(i, j, hi) {
		return false
	}
	s.put(Host, i, j, bytes.ToLower(b[i:j]))
	return true
}

// isPath reports whether the name src[i:j] is a part of an import path, a label's key or a resource's path: what begins
// with a domain and goes on is one of those more often than a host, unless a key marks it as an image or address. A
// folder may have a host's name.
func (s *scan) isPath(i, j, hi int) bool {
	b := s.src
	behind, before := j < hi && (b[j] == '/' || b[j] == '('), i > 0 && b[i-1] == '/'
	switch {
	case j < hi && b[j] == '@': // of a module and its version
		return goCode(b, i, j, hi)
	case !behind && !before:
		return false
	case goCode(b, i, j, hi):
		return true
	case before:
		return bytes.HasSuffix(b[:i], []byte("apis/")) || bytes.HasSuffix(b[:i], []byte("registry/")) ||
			behind && j+2 < hi && b[j+1] == 'v' && isDigit(b[j+2])
	}
	return !has(imageKeys, wordBefore(b, i, 8, 12, " \"=:'\\"))
}

// imageKeys are words before an image or address: a registry's host precedes its path.
var imageKeys = wordSet("image imageid imagename registry repository endpoint server host address mirror")

// learned replaces the names that the input showed to be hosts: whole words, and parts of words behind a hyphen, as in
// the names of static pods (etcd-NODE).
func (s *scan) learned(i, j, hi int) bool {
	l, b := s.lex, s.src
	if len(l.all) == 0 {
		return false
	}
	found := false
	for p := i; p < j; {
		q := p
		for q < j && b[q] != '-' && b[q] != '.' && b[q] != '_' {
			q++
		}
		if n := q - p; n > 0 && n <= maxSegment && l.segments[b[p]]&(1<<n) != 0 && (p == i || b[p-1] != '.') {
			if name, end := s.name(l.hosts[string(b[p:q])], p, j, hi); end > 0 {
				s.put(Host, p, end, bytes.ToLower([]byte(name)))
				found = true
				q = end
			}
		}
		p = q + 1
	}
	return found
}

// fileStem is where the file name src[i:j] ends without its extensions, where a host's name of three labels or more
// precedes them; j elsewhere.
func fileStem(b []byte, i, j int) int {
	if bytes.Count(b[i:j], []byte(".")) < 3 {
		return j
	}
	k := i + len(stemOf(string(b[i:j])))
	if k < j && bytes.Count(b[i:k], []byte(".")) >= 2 {
		return k
	}
	return j
}

// name returns the first of names at p, and where it ends there; 0 where there is none. It may be cut off where the
// word ends, since names of objects are, and have underscores, as variables of the environment have.
func (s *scan) name(names []string, p, j, hi int) (name string, end int) {
	b := s.src
	for _, name := range names {
		n := common(b[p:j], name)
		end := p + n
		if n < len(name) {
			if dot := strings.IndexByte(name, '.'); end < j || dot < 0 || n < dot+4 {
				continue
			}
		}
		if end < j {
			if k := fileStem(b, p, j); b[end] == '.' && k > end && domainName(b[p:k], false) && !s.lex.keeps(b[p:k]) {
				return string(b[p:k]), k // a longer name of this or another host
			}
			if charClass[b[end]]&(isDot|isDash) == 0 && b[end] != '_' {
				continue
			}
		}
		if end == j && j < hi && (b[j] == '(' || b[j] == '/') && goCode(b, p, j, hi) {
			continue
		}
		return name, end
	}
	return "", 0
}

// common is how much of name the word begins with.
func common(word []byte, name string) int {
	n := 0
	for n < len(word) && n < len(name) && (word[n] == name[n] || word[n] == '_' && (name[n] == '-' || name[n] == '.')) {
		n++
	}
	return n
}

// hostValue replaces the value of a key that names a host, where it can be one.
func (s *scan) hostValue(start, end int, prose bool) bool {
	b := s.src
	v := b[start:end]
	if k := bytes.IndexByte(v, ':'); k > 0 && allDigits(v[k+1:]) {
		v = v[:k]
		end = start + k
	}
	if k := bytes.IndexByte(v, '/'); k > 0 { // NODE/ADDRESS of kubectl describe
		if _, stop := quad(b, start+k+1, end, '.'); stop == end {
			if !s.hostValue(start, start+k, prose) {
				return false
			}
			s.text(start+k, end)
			return true
		}
	}
	v = bytes.TrimRight(v, ".")
	end = start + len(v)
	if s.hidden(start, end) {
		return true
	}
	if len(v) < 2 || !isAlnum(v[0]) || run(v, 0, len(v), isWord) < len(v) || allDigits(v) ||
		prose && !bytes.ContainsAny(v, ".-0123456789") {
		return false
	}
	if _, stop := quad(b, start, end, '.'); stop == end {
		return false // an address: it has its own pseudonym
	}
	if has(noHost, lower(v)) || s.lex.keeps(v) || noSecret(v) || bytes.HasSuffix(v, []byte(".go")) {
		return false
	}
	if s.learned(start, end, end) {
		return true
	}
	s.put(Host, start, end, bytes.ToLower(v))
	return true
}

// noHost are words that keys for hosts have too: roles, classes of nodes, services that resolve in every cluster.
var noHost = wordSet("localhost any all self node nodes host master worker control-plane server client agent " +
	"unknown default kubernetes kubernetes.default external internal hostname leader follower primary replica v1 " +
	"linux the is not for name")

// syslogName returns the host in the prefix of a line of journald or syslog, `Aug 03 09:23:52 node1 kubelet[812]: up`,
// and that of uname: `Linux node1 5.3.18-59`; nil for others.
func syslogName(b []byte) []byte {
	if rest, ok := bytes.CutPrefix(b, []byte("Linux ")); ok {
		end := run(rest, 0, len(rest), isWord)
		if end > 0 && end+3 < len(rest) && rest[end] == ' ' && isDigit(rest[end+1]) {
			return rest[:end]
		}
		return nil
	}
	start := stampEnd(b)
	end := run(b, start, len(b), isWord)
	if start == 0 || end == start || end >= len(b)-3 || b[end] != ' ' {
		return nil
	}
	unit := b[end+1:]
	k := bytes.IndexAny(unit[:min(len(unit), 65)], " :[")
	if k <= 0 || k+2 >= len(unit) || unit[k] == ' ' {
		return nil
	}
	numbered := unit[k] == '[' && isDigit(unit[k+1])
	if !numbered && (unit[k] != ':' || isDigit(b[0]) && string(unit[:k]) != "kernel") {
		return nil
	}
	return b[start:end]
}

// stampEnd is where the text begins behind a time in front of a line, 0 where there is none: `Aug  3 09:23:52.123456 `,
// `2021-08-03T09:23:52.123456+00:00 `.
func stampEnd(b []byte) int {
	if len(b) < 20 {
		return 0
	}
	switch {
	case isAlpha(b[0]) && b[3] == ' ' && b[6] == ' ' && b[9] == ':' && b[12] == ':' && isDigit(b[7]) && isDigit(b[5]):
		k := 15
		for k < len(b) && k < 28 && (isDigit(b[k]) || b[k] == '.') {
			k++
		}
		if k < len(b) && b[k] == ' ' {
			return k + 1
		}
	case isDigit(b[0]) && b[4] == '-' && b[7] == '-' && b[10] == 'T' && b[13] == ':' && b[16] == ':':
		if k := bytes.IndexByte(b[:min(len(b), 40)], ' '); k > 0 {
			return k + 1
		}
	}
	return 0
}

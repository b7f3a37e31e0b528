package redact

import (
	"bytes"
	"strings"
)

// urlAt looks at the authority of the URL whose scheme ends at k; the text behind it is looked at as any other.
func (s *scan) urlAt(i, k, hi int) int {
	b := s.src
	if charClass[b[i]]&isNumber != 0 || k-i > 32 {
		return 0
	}
	start := k + 3
	end, at := start, -1
	for end < hi && end-start < 4096 {
		c := b[end]
		if charClass[c]&isEnd != 0 || strings.IndexByte("/?#\"'\\<>`|", c) >= 0 {
			break
		}
		if c == '@' {
			at = end
		}
		end++
	}
	if at > start {
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

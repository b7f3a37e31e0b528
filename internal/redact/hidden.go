package redact

import (
	"bytes"
	"strings"
)

// hiddenIn replaces the first word of Options.Hide in the word src[i:j], and the text before it as any word. A host's
// name is replaced whole.
func (s *scan) hiddenIn(i, j, hi int) int {
	for p := i; p < j; p++ {
		if s.hidden(p, hi) == 0 {
			continue
		}
		k := trimEnd(s.src, i, j)
		if domainName(s.src[i:k], s.url == i) && !s.lex.keeps(s.src[i:k]) {
			return 0
		}
		if p > i {
			s.word(i, p)
		}
		return s.hiddenWord(p, hi)
	}
	return 0
}

// hiddenWord replaces what Options.Hide names, where it begins at i.
func (s *scan) hiddenWord(i, hi int) int {
	end := s.hidden(i, hi)
	if end > 0 {
		s.replace(i, end, s.t.names.of(Word, bytes.ToLower(s.src[i:end])))
	}
	return end
}

// hidden is where the word of Options.Hide that begins at i ends, 0 for none.
func (s *scan) hidden(i, hi int) int {
	b := s.src
	if i > 0 && (isAlpha(b[i-1]) || isDigit(b[i-1])) {
		return 0
	}
	end := i
	for end < hi && (isAlpha(b[end]) || isDigit(b[end]) || b[end] >= 0x80) {
		end++
	}
	for _, w := range s.lex.hide[strings.ToLower(string(b[i:end]))] {
		stop := i + len(w)
		if stop <= hi && strings.EqualFold(string(b[i:stop]), w) &&
			(stop == hi || !isAlpha(b[stop]) && !isDigit(b[stop])) {
			return stop
		}
	}
	return 0
}

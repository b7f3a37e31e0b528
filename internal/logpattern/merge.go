package logpattern

import (
	"bytes"
	"slices"
)

// alikeShare is the least share of the words of the message and the values that a line must have in common with a
// pattern to be merged with it; marked words count for neither. Drain's default is 0.4 over all words; here signs,
// keys and the number of words agree already, and the first word of the message must, so that half of the rest is
// asked.
const alikeShare = 0.5

// maxAlike bounds the patterns that a new form is compared with.
const maxAlike = 128

// similarPattern finds the pattern that the line just scanned may be merged with, nil for none, and notes there what
// varies.
func (m *Miner) similarPattern(f *lineForm, text []byte, sh *shape, skeleton uint64) *minedPattern {
	s := &m.scan
	var best *minedPattern
	bestShare := 0.0
	list := m.alike[skeleton]
	for _, p := range list[:min(len(list), maxAlike)] {
		if share := p.alike(f, text, sh, s); share >= alikeShare && share > bestShare {
			best, bestShare = p, share
		}
	}
	if best != nil {
		best.merge(f, text, s)
	}
	return best
}

// alike is the share of words that p and the line have in common, 0 where they can't be one.
func (p *minedPattern) alike(f *lineForm, text []byte, sh *shape, s *tokenScan) float64 {
	if len(p.tokens) != s.n {
		return 0
	}
	if s.n == 0 {
		return 1
	}
	equal, all, words := 0, 0, 0
	first := true
	for i := range s.n {
		t := s.tokens[i]
		inMsg := sh.msg.holds(t)
		named := i == f.subject.nameTok || i == f.subject.nsTok
		if t.marked != p.tokens[i].marked && !named && !p.varies[i] && !isName(text[t.start:t.end]) {
			return 0
		}
		if t.marked || named {
			continue
		}
		same := s.values[i] == p.values[i]
		if inMsg && first {
			first = false
			// The first word is the verb of most messages: another one is another message, unless it is a name.
			if !same && !p.varies[i] && !hasSign(text[t.start:t.end]) {
				return 0
			}
		}
		if !same && isKeyOf(text, t) {
			return 0
		}
		all++
		if same {
			equal++
		} else if !p.varies[i] && isPlainWord(text, t) {
			words++
		}
	}
	share := 1.0
	if all > 0 {
		share = float64(equal) / float64(all)
	}
	switch {
	case words > 1 || words == 1 && share < wordShare:
		return 0
	case all-equal == 1 && all >= 2:
		return max(alikeShare, share)
	}
	return share
}

// wordShare is what must be equal where a word of the language differs: "started" and "stopped" are two messages.
const wordShare = 0.75

// isPlainWord reports that a word is one of a sentence, not a value: small letters without quotes around them.
func isPlainWord(text []byte, t token) bool {
	for i, c := range text[t.start:t.end] {
		if (c < 'a' || c > 'z') && (i > 0 || c < 'A' || c > 'Z') {
			return false
		}
	}
	return !isQuoted(text, t) && (t.start == 0 || text[t.start-1] != '=')
}

// isKeyOf reports that a word is a key: another key is another message.
func isKeyOf(text []byte, t token) bool {
	rest := text[t.end:]
	return len(rest) > 0 && rest[0] == '=' || bytes.HasPrefix(rest, []byte(`":`)) ||
		bytes.HasPrefix(rest, []byte(`\":`))
}

// merge takes the line just scanned into p. Without a subject, the first name that differs becomes it.
func (p *minedPattern) merge(f *lineForm, text []byte, s *tokenScan) {
	differs := -1
	for i := range s.n {
		if s.values[i] == p.values[i] {
			continue
		}
		p.varies[i] = true
		if differs < 0 && !s.tokens[i].marked && isName(s.word(text, i)) && hasSign(s.word(text, i)) {
			differs = i
		}
	}
	if f.subject.nameTok < 0 && p.subject.nameTok >= 0 {
		f.setName(p.subject.nameTok)
		f.subject.kind = p.subject.kind
		return
	}
	if f.subject.nameTok >= 0 || differs < 0 || p.forms > 1 {
		return
	}
	// Until now the pattern had one form, so that its one nameless object is that of the sample's word.
	at := p.tokens[differs]
	if int(at.end) > len(p.sample) || !isName(p.sample[at.start:at.end]) {
		return
	}
	p.subject.nameTok = differs
	p.form.setName(differs)
	f.setName(differs)
	if len(p.objects) == 1 && p.objects[0].name == "" {
		o := p.objects[0]
		delete(p.byKey, o.key)
		o.key = mix(k1, p.values[differs])
		p.byKey[o.key] = o
		sample := tokenScan{n: len(p.tokens)}
		copy(sample.tokens[:], p.tokens)
		_, o.namespace, o.name = p.subject.nameOf(p.sample, &sample)
	}
}

func (f *lineForm) setName(tok int) {
	f.subject.nameTok = tok
	if i := slices.IndexFunc(f.slots, func(s formSlot) bool { return int(s.tok) == tok }); i >= 0 {
		f.slots[i].role = naming
		return
	}
	f.slots = append(f.slots, formSlot{uint8(tok), naming})
}

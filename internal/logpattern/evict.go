package logpattern

import "maps"

func (m *Miner) full() bool {
	return len(m.forms) >= maxForms || len(m.patterns) >= maxPatterns || m.bytes >= maxNames
}

// evict makes room, so that what comes late in a log is mined too: rare patterns are forgotten where they fill the
// table (lossy counting), and rare forms in any case. A forgotten form that comes again is merged anew.
func (m *Miner) evict() {
	if len(m.patterns) >= maxPatterns || m.bytes >= maxNames {
		m.forget()
	}
	m.prune()
	m.weigh()
}

// forget drops the rarest patterns: a quarter at least.
func (m *Miner) forget() {
	limit := int64(1)
	for ; limit < 1<<20; limit *= 2 {
		rare := 0
		for _, p := range m.patterns {
			if p.rare(limit) {
				rare++
			}
		}
		if rare >= len(m.patterns)/4+1 {
			break
		}
	}
	kept := m.patterns[:0]
	for _, p := range m.patterns {
		if !p.rare(limit) {
			kept = append(kept, p)
			continue
		}
		m.log.Cut.Evicted++
		m.log.Cut.EvictedLines += p.count
		m.objects -= len(p.objects)
		p.forgotten = true
	}
	clear(m.patterns[len(kept):])
	m.patterns = kept
}

// rare reports that p may be forgotten: last those with a sign that single lines count for.
func (p *minedPattern) rare(limit int64) bool {
	if p.sign != SignNone && p.sign != SignLiveness {
		return p.count*8 <= limit
	}
	return p.count <= limit
}

// prune drops the forms of forgotten patterns, and rare ones until half of the table is free.
func (m *Miner) prune() {
	maps.DeleteFunc(m.forms, func(_ uint64, f *lineForm) bool { return f.pattern.forgotten })
	for limit := int64(1); len(m.forms) > maxForms/2; limit *= 2 {
		maps.DeleteFunc(m.forms, func(_ uint64, f *lineForm) bool { return f.lines <= limit })
	}
}

func (m *Miner) weigh() {
	clear(m.alike)
	m.bytes = 0
	for _, p := range m.patterns {
		m.alike[p.skeleton] = append(m.alike[p.skeleton], p)
		m.bytes += p.size()
		for _, o := range p.objects {
			m.bytes += o.size()
		}
	}
	for _, f := range m.forms {
		m.bytes += f.size()
	}
}

func (p *minedPattern) size() int { return len(p.sample) + 20*len(p.tokens) + 256 }

func (f *lineForm) size() int { return 64 + 2*len(f.slots) }

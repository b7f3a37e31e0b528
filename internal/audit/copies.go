package audit

import (
	"cmp"
	"slices"
)

const (
	// copyShare is the share of a log's events that others hold too above which it is a copy: 9 of 10, since a copy may
	// be cut, or have been taken some minutes later. overlapShare is from when on the overlap of two logs is reported.
	copyShare    = 0.9
	overlapShare = 0.05
	// fullSample is how many events' ids are kept all; of more, one in sampleStep, up to maxSample.
	fullSample = 1 << 16
	maxSample  = 1 << 17
	sampleStep = 16
	// minSample is how many ids make a share; fewIDs are enough where nearly all are held.
	minSample = 20
	fewIDs    = 4
)

// An idSample holds the hashes of a log's events: where they are many, those that sampleStep divides, so that the
// samples of two logs hold the same ones of what both logs have.
type idSample struct {
	ids  []uint64
	many bool
}

func (s *idSample) add(id uint64) {
	if !s.many && len(s.ids) == fullSample {
		s.many, s.ids = true, slices.DeleteFunc(s.ids, func(id uint64) bool { return id%sampleStep != 0 })
	}
	if !s.many || id%sampleStep == 0 && len(s.ids) < maxSample {
		s.ids = append(s.ids, id)
	}
}

// of returns how many of the sample's ids others hold, and how many there are; many: the others hold every sampleStep's
// alone.
func (s *idSample) of(others map[uint64]bool, many bool) (held, all int) {
	for _, id := range s.ids {
		if !many || id%sampleStep == 0 {
			if all++; others[id] {
				held++
			}
		}
	}
	return held, all
}

// arrange brings logs into an order that does not depend on that of the arguments, the larger ones first, and takes out
// those that are copies of others: the same log in two folders, its parts beside the whole, what an aggregated API's
// server logged of requests that were handed on to it.
func (m *merger) arrange() {
	slices.SortStableFunc(m.logs, func(a, b *Log) int {
		return cmp.Or(cmp.Compare(b.events, a.events), cmp.Compare(a.server.First, b.server.First),
			cmp.Compare(a.server.Name, b.server.Name), slices.Compare(a.paths, b.paths))
	})
	seen, many := map[uint64]bool{}, false
	kept := m.logs[:0]
	for _, l := range m.logs {
		held, all := l.ids.of(seen, many)
		switch share := float64(held) / float64(max(all, 1)); {
		case share > copyShare && (all >= fewIDs || all == len(l.ids.ids)):
			l.copied = true
			m.duplicate = append(m.duplicate, l.server.Name)
			m.trail.Duplicates += l.events + l.duplicates
			continue
		case all >= minSample && share >= overlapShare:
			m.overlap = append(m.overlap, overlap{l.server.Name, share})
		}
		many = many || l.ids.many
		for _, id := range l.ids.ids {
			seen[id] = true
		}
		kept = append(kept, l)
	}
	m.logs = kept
}

// An overlap is a log some of whose events another one holds too.
type overlap struct {
	name  string
	share float64
}

// Copied reports, after Merge, whether the log was a copy of others, of which nothing was taken.
func (l *Log) Copied() bool { return l.copied }

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
	// fullSample is how many events' ids are kept all; of more, one in sampleStep, and so on.
	fullSample = 1 << 12
	maxSample  = 1 << 16
	sampleStep = 16
	// minSample is how many ids make a share; fewIDs are enough where nearly all are held.
	minSample = 20
	fewIDs    = 4
)

// An idSample holds the hashes of some of a log's events: those that every divides, so that the samples of two logs
// hold the same ones of what both logs have.
type idSample struct {
	ids   []uint64
	every uint64 // 0 for 1
}

func (s *idSample) add(id uint64) {
	if s.every > 1 && id%s.every != 0 {
		return
	}
	if s.every <= 1 && len(s.ids) == fullSample || len(s.ids) == maxSample {
		s.thin(max(s.every, 1) * sampleStep)
		s.add(id)
		return
	}
	s.ids = append(s.ids, id)
}

func (s *idSample) thin(every uint64) {
	s.every = every
	s.ids = slices.DeleteFunc(s.ids, func(id uint64) bool { return id%every != 0 })
}

// of returns how many of the sample's ids, at the coarser of both rates, others hold, and how many there are.
func (s *idSample) of(others map[uint64]bool, every uint64) (held, all int) {
	every = max(every, s.every, 1)
	for _, id := range s.ids {
		if id%every == 0 {
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
	seen, every := map[uint64]bool{}, uint64(1)
	kept := m.logs[:0]
	for _, l := range m.logs {
		held, all := l.ids.of(seen, every)
		switch share := float64(held) / float64(max(all, 1)); {
		case share > copyShare && (all >= fewIDs || all == len(l.ids.ids)):
			l.copied = true
			m.duplicate = append(m.duplicate, l.server.Name)
			m.trail.Duplicates += l.events + l.duplicates
			continue
		case all >= minSample && share >= overlapShare:
			m.overlap = append(m.overlap, overlap{l.server.Name, share})
		}
		every = max(every, l.ids.every)
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

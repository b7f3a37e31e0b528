// Package goroutines finds suspects in dumps: groups of goroutines that general facts single out. A group is the
// goroutines of one dump that wait in one function, in the same way, and were started by one function. Each fact gives
// points (points.go), and most have a sentence (text.go); the groups with the most points are the suspects. Begin
// reading at Suspects, then at the table of facts.
package goroutines

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// Suspects are those of all dumps, best first: of each process those of its last dump. The same group in several
// processes is one suspect. Of those with equal points, the one with more goroutines comes first.
func Suspects(p *rules.Pass) []suspect.Suspect {
	of := subjects(p)
	places := merge(of)
	found := make([]suspect.Suspect, len(places))
	for i, m := range places {
		found[i] = m.suspect(len(of))
	}
	return found
}

// A subject is the dump of a process that is judged, and an earlier one of it; nil where there is none.
type subject struct{ dump, before *rules.DumpInput }

// subjects are the dumps to judge, one of each process.
func subjects(p *rules.Pass) (all []subject) {
	at := map[string]int{} // by process; -1 for those that were compared
	for _, s := range p.AllSeries() {
		at[s.Process] = -1
		all = append(all, lastOf(s.Dumps))
	}
	for _, d := range p.Dumps {
		i, known := at[d.Process]
		switch {
		case i < 0, d.Format == stackparse.FormatRace, d.Cause != nil && d.Cause.Kind == stackparse.CauseLoggedPanic:
			// A race report, or a panic that the process survived, does not show what it does.
		case !known || d.Process == "":
			at[d.Process] = len(all)
			all = append(all, subject{dump: d})
		case all[i].dump.Counted() && !d.Counted(), // a listing shows more than counted stacks
			all[i].dump.Counted() == d.Counted() && all[i].dump.Goroutines <= d.Goroutines:
			all[i].dump = d
		}
	}
	return all
}

// lastOf are the last and the first of a process's dumps, without those that lack most of its goroutines.
func lastOf(dumps []*rules.DumpInput) (s subject) {
	most := 0
	for _, d := range dumps {
		most = max(most, d.Goroutines)
	}
	for _, d := range dumps {
		if 3*d.Goroutines >= most {
			s.before, s.dump = cmp.Or(s.before, s.dump), d
		}
	}
	return s
}

// A place is a group in all processes that have it.
type place struct {
	best      *group   // the one with the most points
	shown     []*group // at most rules.MaxEvidence
	n         int      // goroutines
	processes int
}

// merge brings the candidates of all dumps together and keeps the best of them.
func merge(all []subject) []*place {
	byKey := map[key]*place{}
	for _, of := range all {
		for _, g := range look(of).candidates() {
			m := byKey[g.key]
			if m == nil {
				m = &place{best: g}
				byKey[g.key] = m
			}
			m.n += g.n
			m.processes++
			if len(m.shown) < rules.MaxEvidence {
				m.shown = append(m.shown, g)
			}
			if g.points > m.best.points {
				m.best = g
			}
		}
	}
	places := slices.SortedFunc(maps.Values(byKey), func(a, b *place) int {
		x, y := &a.best.key, &b.best.key
		return cmp.Or(
			cmp.Compare(b.best.points, a.best.points), cmp.Compare(b.n, a.n), strings.Compare(x.function, y.function),
			strings.Compare(x.creator, y.creator), strings.Compare(x.kind, y.kind))
	})
	return places[:min(len(places), suspect.Most)]
}

// Package goroutines finds suspects in dumps: groups of goroutines that general facts single out. A group is the
// goroutines of one dump that wait in one function, in the same way, and were started by one function. Each fact gives
// points (points.go), and most have a sentence (text.go); the groups with the most points are the suspects.
package goroutines

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// Suspects are those of all dumps, best first: of each process those of its last dump. The same group in several
// processes is one suspect.
func Suspects(p *rules.Pass) []suspect.Suspect {
	dumps := lastDumps(p)
	places := merge(dumps)
	found := make([]suspect.Suspect, len(places))
	for i, m := range places {
		found[i] = m.suspect(len(dumps))
	}
	return suspect.Best(found)
}

// lastDumps are the dumps to judge, one of each process.
func lastDumps(p *rules.Pass) (all []*rules.DumpInput) {
	at := map[string]int{} // by process; -1 for those with several dumps
	for _, s := range p.AllSeries() {
		at[s.Process] = -1
		all = append(all, lastOf(s.Dumps))
	}
	for _, d := range p.Dumps {
		i, known := at[d.Process]
		switch {
		case i < 0 || !showsProcess(d):
		case !known || d.Process == "":
			at[d.Process] = len(all)
			all = append(all, d)
		case showsMore(d, all[i]):
			all[i] = d
		}
	}
	return all
}

// lastOf is the last of a process's dumps, without those that lack most of its goroutines.
func lastOf(dumps []*rules.DumpInput) (last *rules.DumpInput) {
	most := 0
	for _, d := range dumps {
		most = max(most, d.Goroutines)
	}
	for _, d := range dumps {
		if 3*d.Goroutines >= most {
			last = d
		}
	}
	return last
}

// showsProcess reports whether a dump shows what a process does: a race report or a panic that it survived does not.
func showsProcess(d *rules.DumpInput) bool {
	return d.Format != stackparse.FormatRace && (d.Cause == nil || d.Cause.Kind != stackparse.CauseLoggedPanic)
}

// showsMore reports whether a dump shows more of a process than another: a listing shows more than counted stacks.
func showsMore(d, than *rules.DumpInput) bool {
	if d.Counted() != than.Counted() {
		return than.Counted()
	}
	return d.Goroutines >= than.Goroutines
}

// A sight is a group in its dump.
type sight struct {
	*scene
	*group
}

// A place is a group in all processes that have it.
type place struct {
	best      sight   // the one with the most points
	shown     []sight // at most rules.MaxEvidence
	n         int     // goroutines
	processes int
}

// merge brings the candidates of all dumps together and keeps the best of them.
func merge(dumps []*rules.DumpInput) []*place {
	byKey := map[key]*place{}
	var places []*place
	for _, d := range dumps {
		s := look(d)
		for _, g := range s.candidates() {
			m := byKey[g.key]
			if m == nil {
				m = &place{}
				byKey[g.key] = m
				places = append(places, m)
			}
			m.add(sight{s, g})
		}
	}
	slices.SortFunc(places, func(a, b *place) int {
		x, y := &a.best.key, &b.best.key
		return cmp.Or(
			cmp.Compare(b.best.points, a.best.points), cmp.Compare(b.n, a.n), strings.Compare(x.function, y.function),
			strings.Compare(x.creator, y.creator), strings.Compare(x.kind, y.kind))
	})
	return places[:min(len(places), suspect.Limit)]
}

func (m *place) add(at sight) {
	m.n += at.n
	m.processes++
	if len(m.shown) < rules.MaxEvidence {
		m.shown = append(m.shown, at)
	}
	if m.best.group == nil || at.points > m.best.points {
		m.best = at
	}
}

package wait

import (
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

const (
	// minutesOff is by how much a header's minutes may be wrong: the runtime dates a wait to the end of the collection
	// before it noticed, at most two minutes off (runtime.forcegcperiod).
	minutesOff = 2
	// minApart is how far apart two dumps must be made to count as two.
	minApart = time.Minute
)

// againRun is what all dumps of a process show together, of which one shows no minutes: goroutines in the same place.
// judge gets the last dump, and what stayed.
func againRun(rule string, judge func(s *scene, w *actor, stayed stayed) verdict) run {
	return func(p *rules.Pass) []rules.Finding {
		var found []rules.Finding
		for _, series := range p.AllSeries() {
			d := series.Dumps[len(series.Dumps)-1]
			if span, timed := series.Span(); timed && span < minApart || isTest(d) || len(d.Buckets) > maxScene {
				continue
			}
			stayed := stayedIn(series)
			if len(stayed.ids) == 0 {
				continue
			}
			s := newScene(d)
			for i := range s.actors {
				w := &s.actors[i]
				if w.role != nil || w.site < 0 || w.root < 0 || s.ageOf(w) != unknown {
					continue // where a dump shows minutes it shows all
				}
				if v := judge(s, w, stayed); v.guilty {
					v.proven = true
					f := s.finding(rule, w, v)
					f.Notes = append(f.Notes, fmt.Sprintf("All %d dumps of this process show them there.",
						len(series.Dumps)))
					found = append(found, f)
				}
			}
		}
		return found
	}
}

// sharesLostAgain is the part of client-pool-exhausted (TR421) about a few that wait for shares.
func sharesLostAgain(s *scene, w *actor, stayed stayed) verdict {
	if !givesSlots(w.b.Class) || !stayed.all(w) || s.pacedNear(w) {
		return verdict{}
	}
	return s.sharesLost(w).but(!stayed.timed, sameMoment)
}

// stayed are the goroutines that wait in the same place for the same thing in all dumps of a process.
type stayed struct {
	ids   map[uint64]bool
	timed bool // the dumps' times are known
}

func stayedIn(s *rules.Series) stayed {
	all := stayed{ids: map[uint64]bool{}}
	_, all.timed = s.Span()
	for _, r := range s.Rows {
		for _, g := range r.Stuck {
			all.ids[g.ID] = true
		}
	}
	return all
}

// all reports whether each goroutine of an actor is among them.
func (s stayed) all(a *actor) bool {
	return len(a.b.Goroutines) > 0 && !slices.ContainsFunc(a.b.Goroutines, func(g stackparse.Goroutine) bool {
		return !s.ids[g.ID]
	})
}

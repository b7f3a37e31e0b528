package rules

import (
	"slices"

	"github.com/gotriage/triage/stackparse"
)

// again returns those of a's goroutines that compute in the same function in at least so many other dumps of the process.
func (a *active) again(p *Pass, others int) active {
	one := *a
	one.goroutines = nil
	for _, g := range a.goroutines {
		if len(elsewhere(p, a, g.ID)) >= others {
			one.goroutines = append(one.goroutines, g)
		}
	}
	return one
}

// seenAgain is the evidence that a's goroutines compute in the same function in other dumps of the process.
func seenAgain(p *Pass, a *active) []Evidence {
	var all []Evidence
	for _, g := range a.goroutines[:min(len(a.goroutines), 10)] {
		all = append(all, elsewhere(p, a, g.ID)...)
	}
	return all
}

func elsewhere(p *Pass, a *active, id uint64) []Evidence {
	if id == 0 {
		return nil
	}
	var all []Evidence
	want := a.blame().Culprit.Function
	for _, d := range p.Dumps {
		if d == a.d || !asked(d) || d.Process == "" || d.Process != a.d.Process {
			continue
		}
		others := activity(d)
		for i := range others {
			o := &others[i]
			if !o.busy() || o.blame().Culprit.Function != want {
				continue
			}
			k := slices.IndexFunc(o.goroutines, func(g stackparse.Goroutine) bool { return g.ID == id })
			if k >= 0 {
				all = append(all, EvidenceOfGoroutines(d, o.goroutines[k:k+1], ""))
			}
		}
	}
	return all
}

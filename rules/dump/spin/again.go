package spin

import (
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// again returns those of a's goroutines that compute in the same function in at least so many other dumps of the
// process.
func (a *active) again(p *rules.Pass, others int) active {
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
func seenAgain(p *rules.Pass, a *active) []rules.Evidence {
	var all []rules.Evidence
	for _, g := range a.goroutines[:min(len(a.goroutines), 10)] {
		all = append(all, elsewhere(p, a, g.ID)...)
	}
	return all
}

func elsewhere(p *rules.Pass, a *active, id uint64) []rules.Evidence {
	if id == 0 {
		return nil
	}
	var all []rules.Evidence
	want := a.blame().Culprit.Function
	for _, d := range p.Dumps {
		if d == a.d || !rules.Asked(d) || d.Process == "" || d.Process != a.d.Process {
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
				all = append(all, rules.EvidenceOfGoroutines(d, o.goroutines[k:k+1], ""))
			}
		}
	}
	return all
}

// reported are the goroutines that a rule has accused already, from an earlier dump of the same process.
type reported map[accused]bool

// An accused is a goroutine in a function; a loop's line may differ from dump to dump.
type accused struct {
	process, function string
	id                uint64
}

// rest returns a without the goroutines that were reported before, and notes the others.
func (r reported) rest(a active) active {
	if a.d.Process == "" {
		return a
	}
	fn := a.blame().Culprit.Function
	var left []stackparse.Goroutine
	for _, g := range a.goroutines {
		who := accused{a.d.Process, fn, g.ID}
		if g.ID == 0 || !r[who] {
			left = append(left, g)
		}
		r[who] = true
	}
	a.goroutines = left
	return a
}

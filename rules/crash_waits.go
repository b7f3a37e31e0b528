package rules

import (
	"slices"

	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/stackparse"
)

// A root is the blockage that a deadlock or a test that did not end comes down to.
type root struct {
	lockFinding
	blocked
}

// rootOf finds what all others wait for: the first blockage whose goroutines can't go on by themselves. ok is false
// where the locks, if any, show nothing.
func rootOf(d *DumpInput) (r root, ok bool) {
	if d.Waits == nil {
		return root{}, false
	}
	for i := range d.Waits.Blockages {
		s := standstill{d: d, b: &d.Waits.Blockages[i], test: true}
		if s.b.Moves || s.weakest() < waitgraph.MinHolder {
			continue
		}
		var st lockFinding
		switch s.b.Kind {
		case waitgraph.DoubleLock:
			st = explainDouble(&s)
		case waitgraph.LockCycle:
			st = explainCycle(&s)
		case waitgraph.ReaderRecursion:
			st = explainReader(&s)
		case waitgraph.HeldInChannel, waitgraph.HeldInWaitGroup, waitgraph.HeldInCond:
			st = explainHeld(&s)
		default:
			continue
		}
		all := blockedIn(d, func(b *stackparse.Bucket,
			_ *stackparse.Goroutine) bool {
			return b == d.Buckets[st.culprit]
		})
		if len(all) > 0 {
			return root{st, all[0]}, true
		}
	}
	return root{}, false
}

// fill puts what the blockage shows into an account; all are the other goroutines that wait.
func (r *root) fill(a *account, d *DumpInput, all []blocked) {
	a.act, a.fix = r.act, r.fix
	a.confidence = ConfMedium
	told := map[uint64]bool{}
	for _, e := range r.evidence {
		for _, id := range e.Goroutines {
			told[id] = true
		}
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(b blocked) bool {
		return b.b == r.b || !slices.ContainsFunc(b.gs, func(g stackparse.Goroutine) bool { return !told[g.ID] })
	})
	a.evidence = slices.Concat(r.evidence[1:], blockedEvidence(d, rest))
	a.evidence = a.evidence[:min(len(a.evidence), maxCrashEvidence)]
}

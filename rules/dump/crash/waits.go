package crash

import (
	"slices"

	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/dump/wait"
	"github.com/gotriage/triage/stackparse"
)

// A root is the blockage that a deadlock or a test that did not end comes down to.
type root struct {
	wait.LockFinding
	wait.Blocked
}

// rootOf finds what all others wait for: the first blockage whose goroutines can't go on by themselves. ok is false
// where the locks, if any, show nothing.
func rootOf(d *rules.DumpInput) (r root, ok bool) {
	if d.Waits == nil {
		return root{}, false
	}
	for i := range d.Waits.Blockages {
		s := wait.Standstill{Dump: d, Blockage: &d.Waits.Blockages[i], Test: true}
		if s.Blockage.Moves || s.Weakest() < waitgraph.MinHolder {
			continue
		}
		var st wait.LockFinding
		switch s.Blockage.Kind {
		case waitgraph.DoubleLock:
			st = wait.ExplainDouble(&s)
		case waitgraph.LockCycle:
			st = wait.ExplainCycle(&s)
		case waitgraph.ReaderRecursion:
			st = wait.ExplainReader(&s)
		case waitgraph.HeldInChannel, waitgraph.HeldInWaitGroup, waitgraph.HeldInCond:
			st = wait.ExplainHeld(&s)
		default:
			continue
		}
		all := wait.BlockedIn(d, func(b *stackparse.Bucket,
			_ *stackparse.Goroutine) bool {
			return b == d.Buckets[st.Culprit]
		})
		if len(all) > 0 {
			return root{st, all[0]}, true
		}
	}
	return root{}, false
}

// values are what texts say of the blockage: who does {act}, why ({root}) and what to {fix}.
func (r *root) values(f *account.Facts) {
	f.Values["act"], f.Values["root"], f.Values["fix"] = r.Act, r.Why, r.Fix
}

// fill puts what the blockage shows into an account; all are the other goroutines that wait.
func (r *root) fill(a *account.Account, d *rules.DumpInput, all []wait.Blocked) {
	a.Confidence = rules.ConfMedium
	shown := map[uint64]bool{}
	for _, e := range r.Evidence {
		for _, id := range e.Goroutines {
			shown[id] = true
		}
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(b wait.Blocked) bool {
		return b.Bucket == r.Bucket || !slices.ContainsFunc(b.Goroutines,
			func(g stackparse.Goroutine) bool { return !shown[g.ID] })
	})
	a.Evidence = slices.Concat(r.Evidence[1:], blockedEvidence(d, rest))
	a.Evidence = a.Evidence[:min(len(a.Evidence), maxCrashEvidence)]
}

package wait

import (
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// A Root is the blockage that a standstill of the process comes down to.
type Root struct {
	LockFinding
	Blocked
}

// RootOf finds what all others wait for: the first blockage whose goroutines can't go on by themselves. ok is false
// where the locks, if any, show nothing.
func RootOf(d *rules.DumpInput) (r Root, ok bool) {
	g := parsed.Waits(d)
	if g == nil {
		return Root{}, false
	}
	for i := range g.Blockages {
		s := standstill{Dump: d, Blockage: &g.Blockages[i]}
		if s.Blockage.Moves || s.weakest() < waitgraph.MinHolder {
			continue
		}
		var st LockFinding
		switch s.Blockage.Kind {
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
		all := BlockedIn(d, func(b *stackparse.Bucket, _ *stackparse.Goroutine) bool {
			return b == d.Buckets[st.Culprit]
		})
		if len(all) > 0 {
			if st.Frame > 0 {
				all[0].culprit = st.Frame
			}
			return Root{st, all[0]}, true
		}
	}
	return Root{}, false
}

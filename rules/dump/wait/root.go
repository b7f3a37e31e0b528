package wait

import (
	"iter"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
)

// Roots are the blockages that a standstill of the process may come down to, the one with the most waiters first: those
// whose goroutines can't go on by themselves.
func Roots(d *rules.DumpInput) iter.Seq[LockFinding] {
	explain := map[waitgraph.BlockKind]func(*standstill) LockFinding{
		waitgraph.DoubleLock: explainDouble, waitgraph.LockCycle: explainCycle,
		waitgraph.ReaderRecursion: explainReader, waitgraph.HeldInChannel: explainHeld,
		waitgraph.HeldInWaitGroup: explainHeld, waitgraph.HeldInCond: explainHeld,
	}
	return func(yield func(LockFinding) bool) {
		g := parsed.Waits(d)
		for i := 0; g != nil && i < len(g.Blockages); i++ {
			s := standstill{Dump: d, Blockage: &g.Blockages[i]}
			by, ok := explain[s.Blockage.Kind]
			if ok && !s.Blockage.Moves && s.weakest() >= waitgraph.MinHolder && !yield(by(&s)) {
				return
			}
		}
	}
}

package wait

import (
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
)

// waitGroupStuck is waitgroup-stuck (TR410).
func waitGroupStuck() *rules.Rule {
	held := standstillRun(ExplainHeld, waitgraph.HeldInWaitGroup)
	alone := orphanRun(func(o *waitgraph.Orphan) bool { return o.Kind == waitgraph.WaitGroup }, explainWaitGroup)
	return dumpRule("TR410", "waitgroup-stuck", rules.Deadlock, rules.High, func(p *rules.Pass) []rules.Finding {
		return append(held(p), alone(p)...)
	})
}

func explainWaitGroup(o *orphan) LockFinding {
	return LockFinding{
		Act: o.act("waits for a WaitGroup that nobody will finish", "waiting for a WaitGroup that nobody will finish"),
		Why: o.fill("{who} {waits} at {at} for a WaitGroup, and nobody who could still call Done is in sight.{facts}"),
		Fix: o.fill("Count what is waited for at {spot}: call Add right before each go statement, and defer Done as " +
			"the first line of each goroutine, so that no early return skips it; WaitGroup.Go (Go 1.25) does both."),
	}
}

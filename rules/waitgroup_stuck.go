package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
)

// waitGroupStuck is TR410.
func waitGroupStuck() *Rule {
	held := standstillRun(explainHeld, waitgraph.HeldInWaitGroup)
	alone := orphanRun(func(o *waitgraph.Orphan) bool { return o.Kind == waitgraph.WaitGroup }, explainWaitGroup)
	return &Rule{
		ID: "TR410", Name: "waitgroup-stuck", Category: Deadlock, Severity: High, Needs: NeedsDump | NeedsStates,
		Run: func(p *Pass) []Finding { return append(held(p), alone(p)...) },
	}
}

func explainWaitGroup(o *orphan) lockFinding {
	return lockFinding{
		act: o.act("waits for a WaitGroup that nobody will finish", "waiting for a WaitGroup that nobody will finish"),
		why: fmt.Sprintf("%s %s at %s for a WaitGroup, and nobody who could still call Done is in sight.%s",
			o.subject(), o.verb(), o.at(), o.facts()),
		fix: fmt.Sprintf("Count what is waited for at %s: call Add right before each go statement, and defer Done as "+
			"the first line of each goroutine, so that no early return skips it; WaitGroup.Go (Go 1.25) does both.",
			o.spot()),
	}
}

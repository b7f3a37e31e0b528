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
		Doc: Doc{
			Title:          "A WaitGroup is waited for that nobody will finish",
			Why:            "WaitGroup.Wait returns when Done was called as often as Add. Either the waiter holds a lock that those who must call Done wait for, or nobody who could call it is left: a return skipped it, or Add counted goroutines that were never started.",
			Fix:            "Call Add right before each go statement, and defer Done as the first line of the goroutine; hold no lock while waiting.",
			FalsePositives: "Workers that were started elsewhere and are not related to the waiter: outside of tests at least 10 waiters are asked for.",
			Refs:           []string{"https://pkg.go.dev/sync#WaitGroup"},
		},
		Run: func(p *Pass) []Finding { return append(held(p), alone(p)...) },
	}
}

func explainWaitGroup(o *orphan) standing {
	return standing{
		act: o.act("waits for a WaitGroup that nobody will finish", "waiting for a WaitGroup that nobody will finish"),
		why: fmt.Sprintf("%s %s at %s for a WaitGroup, and nobody who could still call Done is in sight.%s", o.subject(), o.verb(), o.at(), o.facts()),
		fix: fmt.Sprintf("Count what is waited for at %s: call Add right before each go statement, and defer Done as the first line of each goroutine, so that no early return skips it; WaitGroup.Go (Go 1.25) does both.", o.spot()),
	}
}

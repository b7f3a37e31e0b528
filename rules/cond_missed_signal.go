package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
)

// missedSignal is TR411.
func missedSignal() *Rule {
	held := standstillRun(explainHeld, waitgraph.HeldInCond)
	alone := orphanRun(func(o *waitgraph.Orphan) bool { return o.Kind == waitgraph.Cond }, explainCond)
	return &Rule{
		ID: "TR411", Name: "cond-missed-signal", Category: Deadlock, Severity: High, Needs: NeedsDump | NeedsStates,
		Run: func(p *Pass) []Finding { return append(held(p), alone(p)...) },
	}
}

func explainCond(o *orphan) lockFinding {
	return lockFinding{
		act: o.act("waits for a signal that nobody will give", "waiting for a signal that nobody will give"),
		why: fmt.Sprintf("%s %s at %s in sync.(*Cond).Wait, and nobody who could signal is in sight.%s", o.subject(),
			o.verb(), o.at(), o.facts()),
		fix: fmt.Sprintf("Test the condition in a loop around the Wait at %s; change it and call Broadcast under the "+
			"same lock, so that no signal comes before its waiter.", o.spot()),
	}
}

package wait

import (
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
)

// missedSignal is cond-missed-signal (TR411).
func missedSignal() *rules.Rule {
	held := standstillRun(ExplainHeld, waitgraph.HeldInCond)
	alone := orphanRun(func(o *waitgraph.Orphan) bool { return o.Kind == waitgraph.Cond }, explainCond)
	return dumpRule("TR411", "cond-missed-signal", rules.Deadlock, rules.High, func(p *rules.Pass) []rules.Finding {
		return append(held(p), alone(p)...)
	})
}

func explainCond(o *orphan) LockFinding {
	return LockFinding{
		Act: o.act("waits for a signal that nobody will give", "waiting for a signal that nobody will give"),
		Why: o.fill("{who} {waits} at {at} in sync.(*Cond).Wait, and nobody who could signal is in sight.{facts}"),
		Fix: o.fill("Test the condition in a loop around the Wait at {spot}; change it and call Broadcast under the " +
			"same lock, so that no signal comes before its waiter."),
	}
}

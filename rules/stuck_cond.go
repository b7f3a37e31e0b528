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
		Doc: Doc{
			Title:          "A sync.Cond is waited for that nobody will signal",
			Why:            "A signal that comes before the wait is lost, Signal wakes one waiter only, and a waiter that holds a second lock keeps who would signal from coming. What is left is a waiter without anybody in sight who could wake it.",
			Fix:            "Change the condition and signal under the Cond's lock, wait in a loop that tests it, and use Broadcast where several wait for different things.",
			FalsePositives: "A queue's consumers wait in a Cond when there is nothing to do: outside of tests at least 10 waiters on Conds of their own are asked for.",
			Refs:           []string{"https://pkg.go.dev/sync#Cond"},
		},
		Run: func(p *Pass) []Finding { return append(held(p), alone(p)...) },
	}
}

func explainCond(o *orphan) standing {
	return standing{
		act: o.act("waits for a signal that nobody will give", "waiting for a signal that nobody will give"),
		why: fmt.Sprintf("%s %s at %s in sync.(*Cond).Wait, and nobody who could signal is in sight.%s", o.subject(), o.verb(), o.at(), o.facts()),
		fix: fmt.Sprintf("Test the condition in a loop around the Wait at %s; change it and call Broadcast under the same lock, so that no signal comes before its waiter.", o.spot()),
	}
}

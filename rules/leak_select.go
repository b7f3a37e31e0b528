package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
)

// selectLeak is TR414.
func selectLeak() *Rule {
	return &Rule{
		ID: "TR414", Name: "select-leak", Category: Leak, Severity: Medium, Needs: NeedsDump | NeedsStates,
		Doc: Doc{
			Title:          "Goroutines wait in a select none of whose cases will come",
			Why:            "A dump does not tell the channels of a select. Where hundreds stand in the same one, those who started them have ended, and no relative is at work, nobody is left to stop them: a context that is never cancelled, a stop channel that is never closed.",
			Fix:            "Derive the context from the caller's and cancel it when the work ends (defer cancel()); let the owner's Close close the stop channel.",
			FalsePositives: "Connections or subscribers that outlive the function that started them and have no second goroutine.",
			Refs:           []string{"https://pkg.go.dev/context#WithCancel", "https://go.dev/blog/context"},
		},
		Run: orphanRun(func(o *waitgraph.Orphan) bool { return o.Select }, explainSelect),
	}
}

func explainSelect(o *orphan) standing {
	return standing{
		act: o.act("waits in a select that nobody ends", "waiting in a select that nobody ends"),
		why: fmt.Sprintf("%s %s at %s in a select, and nobody who could serve or stop %s is in sight.%s", o.subject(), o.verb(), o.at(), them(o.o.Count), o.facts()),
		fix: fmt.Sprintf("Give the select at %s a case for a context that %s cancels at its end (defer cancel()), and see that every stop channel is closed.", o.spot(), o.creator()),
	}
}

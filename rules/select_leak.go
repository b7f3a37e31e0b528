package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
)

// selectLeak is TR414.
func selectLeak() *Rule {
	return &Rule{
		ID: "TR414", Name: "select-leak", Category: Leak, Severity: Medium, Needs: NeedsDump | NeedsStates,
		Run: orphanRun(func(o *waitgraph.Orphan) bool { return o.Select }, explainSelect),
	}
}

func explainSelect(o *orphan) lockFinding {
	return lockFinding{
		act: o.act("waits in a select that nobody ends", "waiting in a select that nobody ends"),
		why: fmt.Sprintf("%s %s at %s in a select, and nobody who could serve or stop %s is in sight.%s", o.subject(),
			o.verb(), o.at(), them(o.o.Count), o.facts()),
		fix: fmt.Sprintf("Give the select at %s a case for a context that %s cancels at its end (defer cancel()), "+
			"and see that every stop channel is closed.", o.spot(), o.creator()),
	}
}

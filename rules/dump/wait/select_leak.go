package wait

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
)

// selectLeak is TR414.
func selectLeak() *rules.Rule {
	return &rules.Rule{
		ID: "TR414", Name: "select-leak", Category: rules.Leak, Severity: rules.Medium, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: orphanRun(func(o *waitgraph.Orphan) bool { return o.Select }, explainSelect),
	}
}

func explainSelect(o *orphan) LockFinding {
	return LockFinding{
		Act: o.act("waits in a select that nobody ends", "waiting in a select that nobody ends"),
		Why: fmt.Sprintf("%s %s at %s in a select, and nobody who could serve or stop %s is in sight.%s", o.subject(),
			o.verb(), o.at(), them(o.o.Count), o.facts()),
		Fix: fmt.Sprintf("Give the select at %s a case for a context that %s cancels at its end (defer cancel()), "+
			"and see that every stop channel is closed.", o.spot(), o.creator()),
	}
}

package wait

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
)

// channelReceiveLeak is TR413.
func channelReceiveLeak() *rules.Rule {
	return &rules.Rule{
		ID: "TR413", Name: "channel-receive-leak", Category: rules.Leak, Severity: rules.Medium, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: orphanRun(func(o *waitgraph.Orphan) bool { return o.Mode == waitgraph.ModeReceive }, explainReceive),
	}
}

func explainReceive(o *orphan) LockFinding {
	return LockFinding{
		Act: o.act("waits to receive what nobody sends", "waiting to receive what nobody sends"),
		Why: fmt.Sprintf("%s %s at %s to receive from a channel, and nobody who could send or close it is in sight.%s",
			o.subject(), o.verb(), o.at(), o.facts()),
		Fix: fmt.Sprintf("Let who owns the channel close it on every way out (defer close), or wait at %s in a "+
			"select with a context that %s cancels.", o.spot(), o.creator()),
	}
}

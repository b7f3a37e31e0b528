package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
)

// channelReceiveLeak is TR413.
func channelReceiveLeak() *Rule {
	return &Rule{
		ID: "TR413", Name: "channel-receive-leak", Category: Leak, Severity: Medium, Needs: NeedsDump | NeedsStates,
		Run: orphanRun(func(o *waitgraph.Orphan) bool { return o.Mode == waitgraph.ModeReceive }, explainReceive),
	}
}

func explainReceive(o *orphan) lockFinding {
	return lockFinding{
		act: o.act("waits to receive what nobody sends", "waiting to receive what nobody sends"),
		why: fmt.Sprintf("%s %s at %s to receive from a channel, and nobody who could send or close it is in sight.%s",
			o.subject(), o.verb(), o.at(), o.facts()),
		fix: fmt.Sprintf("Let who owns the channel close it on every way out (defer close), or wait at %s in a "+
			"select with a context that %s cancels.", o.spot(), o.creator()),
	}
}

package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
)

// channelSendLeak is TR412.
func channelSendLeak() *Rule {
	return &Rule{
		ID: "TR412", Name: "channel-send-leak", Category: Leak, Severity: Medium, Needs: NeedsDump | NeedsStates,
		Run: orphanRun(func(o *waitgraph.Orphan) bool { return o.Mode == waitgraph.ModeSend }, explainSend),
	}
}

func explainSend(o *orphan) lockFinding {
	st := lockFinding{
		act: o.act("waits to send what nobody receives", "waiting to send what nobody receives"),
		why: fmt.Sprintf("%s %s at %s to send on a channel, and nobody receives.%s", o.subject(), o.verb(), o.at(),
			o.facts()),
		fix: fmt.Sprintf("Give the channel room for every answer (make(chan T, 1)) where %s starts the sender, or "+
			"let the send at %s select on a context that ends with the caller.", o.creator(), o.spot()),
	}
	if o.o.Most > 1 && 2*o.o.Objects < o.o.Count {
		st.act = o.act("waits to send to a reader that is gone or stuck", "waiting to send to a reader that is gone "+
			"or stuck")
		st.fix = fmt.Sprintf("Find the reader of the channel at %s: it ended early, or waits for something itself. "+
			"Let the send select on a context too.", o.spot())
	}
	return st
}

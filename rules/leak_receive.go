package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/waitgraph"
)

// channelReceiveLeak is TR413.
func channelReceiveLeak() *Rule {
	return &Rule{
		ID: "TR413", Name: "channel-receive-leak", Category: Leak, Severity: Medium, Needs: NeedsDump | NeedsStates,
		Doc: Doc{
			Title:          "Goroutines wait to receive from channels that nobody sends to or closes",
			Why:            "A goroutine that ranges over a channel, or waits for a reply, ends only when somebody sends or closes. Where each has a channel of its own, who started it has ended, and no relative is at work, nobody will.",
			Fix:            "Close the channel on every way out of the function that owns it (defer close), or receive in a select with a context.",
			FalsePositives: "Subscribers that wait for rare events: below 100 of them, or where who started them still runs, nothing is said outside of tests.",
			Refs:           []string{"https://go.dev/ref/spec#Receive_operator", "https://go.dev/blog/pipelines"},
		},
		Run: orphanRun(func(o *waitgraph.Orphan) bool { return o.Mode == waitgraph.ModeReceive }, explainReceive),
	}
}

func explainReceive(o *orphan) standing {
	return standing{
		act: o.act("waits to receive what nobody sends", "waiting to receive what nobody sends"),
		why: fmt.Sprintf("%s %s at %s to receive from a channel, and nobody who could send or close it is in sight.%s", o.subject(), o.verb(), o.at(), o.facts()),
		fix: fmt.Sprintf("Let who owns the channel close it on every way out (defer close), or wait at %s in a select with a context that %s cancels.", o.spot(), o.creator()),
	}
}

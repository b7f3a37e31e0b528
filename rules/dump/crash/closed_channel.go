package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/wait"
	"github.com/gotriage/triage/stackparse"
)

// explainChannel is closed-channel (TR208).
func explainChannel(g *crashGroup) account {
	a := account{next: g.logNext("go test -race ./...")}
	switch {
	case strings.Contains(g.text, "close of nil"):
		a.act = "closes a nil channel"
		a.why = g.fill("{who}{at} closed a channel that was never made.")
		a.fix = g.fill("Make the channel in the constructor of what holds it, or check it before {line}.")
	case strings.Contains(g.text, "close of closed"):
		a.act = "closes a closed channel"
		a.why = g.fill("{who}{at} closed a channel that was closed before: a Stop or Close that ran twice, or two " +
			"owners that both clean up.")
		a.fix = g.fill("Give the channel one owner that closes it, or put the close at {line} into a sync.Once.")
	default:
		a.act = "sends on a closed channel"
		a.why = g.fill("{who}{at} sent on a channel that another goroutine had closed: nothing makes the closer wait " +
			"for the senders, so it is a race that shows at shutdown or reload.")
		a.fix = g.fill("Find the close of the channel that {who} sends on and let it wait for the senders " +
			"(WaitGroup.Wait, then close), or don't close it at all: cancel a context and select on its Done " +
			"in the send.")
		if others := g.sameFunction(); len(others) > 0 {
			a.why += fmt.Sprintf(" Others in the same function, which would have been next: %d.", countAll(others))
			a.evidence = bucketEvidence(g.d, others)
		}
		if closers := g.closers(); len(closers) > 0 {
			a.why += fmt.Sprintf(" Who closed it may be %s, which still runs.", rules.PlaceName(closers[0].Place()))
			a.evidence = append(a.evidence, blockedEvidence(g.d, closers)...)
		}
	}
	return a
}

// closers are the goroutines in a method of the culprit's type that is called like one which closes channels.
func (c *crash) closers() []wait.Blocked {
	culprit := frame.ParseName(frame.StripVendor(c.blame.Culprit.Function))
	if culprit.Receiver == "" {
		return nil
	}
	return wait.BlockedIn(c.d, func(b *stackparse.Bucket, _ *stackparse.Goroutine) bool {
		for _, i := range rules.ShownFrames(b) {
			if !strings.Contains(b.Frames[i].Func, culprit.Receiver) {
				continue
			}
			n := frame.ParseName(frame.StripVendor(b.Frames[i].Func))
			if n.Package == culprit.Package && n.Receiver == culprit.Receiver && n.Func != culprit.Func &&
				endsThings(n.Func) {
				return true
			}
		}
		return false
	})
}

func endsThings(method string) bool {
	m := strings.ToLower(method)
	for _, word := range []string{"close", "stop", "shutdown", "drain", "finish", "terminate", "dispose"} {
		if strings.Contains(m, word) {
			return true
		}
	}
	return false
}

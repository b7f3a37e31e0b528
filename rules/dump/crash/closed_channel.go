package crash

import (
	"strconv"
	"strings"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/dump/wait"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// explainChannel is closed-channel (TR208).
func explainChannel(g *crashGroup, f account.Facts) account.Account {
	if phrase.ContainsOne(g.text, "close of nil", "close of closed") {
		return g.tell(f)
	}
	others, closers := g.sameFunction(), g.closers()
	if len(others) > 0 {
		f.Cases = append(f.Cases, "others")
		f.Values["others"] = strconv.Itoa(countAll(others))
	}
	if len(closers) > 0 {
		f.Cases = append(f.Cases, "closers")
		f.Values["closer"] = rules.PlaceName(closers[0].Place())
	}
	a := g.tell(f)
	a.Evidence = append(bucketEvidence(g.d, others), blockedEvidence(g.d, closers)...)
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
	return phrase.ContainsOne(strings.ToLower(method), "close", "stop", "shutdown", "drain", "finish", "terminate",
		"dispose")
}

package spin

import (
	"fmt"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
)

// tightLoop is TR107.
func tightLoop() *rules.Rule {
	return &rules.Rule{
		ID: "TR107", Name: "tight-loop", Category: rules.Spin, Severity: rules.High, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: spinRun(func(a *active, all []active) (spin, bool) {
			if !loopsTight(a, all) {
				return spin{}, false
			}
			bl := a.blame()
			doing := "with no call below it"
			if bl.Index > a.leaf {
				doing = "about to run " + rules.PlaceText(rules.PlaceOf(a.bucket.Frames[a.leaf].Frame)) + " once more"
			}
			return spin{
				act: "is all that computes, in its own loop",
				why: fmt.Sprintf("%s was stopped while it computed in %s, %s; all others wait. That is what a loop "+
					"on a condition that nobody changes looks like.", a.who(), rules.PlaceText(bl.Culprit), doing),
				fix: fmt.Sprintf("Look at the loop in %s: what ends it, and who changes that? Wait for it on a "+
					"channel, a sync.Cond or a context (a plain variable that another goroutine writes is a data "+
					"race: the compiler may never read it again).", rules.PlaceText(bl.Culprit)),
			}, true
		}),
	}
}

func loopsTight(a *active, all []active) bool {
	return a.act == actOwn && a.d.RoleOf(a.index) == nil && alone(all) && a.onCPU() && !a.leafIsLibrary() &&
		!a.servesRequest() && !a.runtimeWorks() && !a.calledBack() && !a.peerWaits() && !a.joined()
}

// servesRequest reports whether the goroutine serves an HTTP or RPC request: it may compute, and one dump can't show
// for how long.
func (a *active) servesRequest() bool {
	for _, i := range a.bucket.Shown {
		n := frame.ParseName(frame.StripVendor(a.bucket.Frames[i].Func))
		switch {
		case n.Package == "net/http" && n.Receiver == "conn" && n.Func == "serve",
			n.Package == "google.golang.org/grpc" && n.Receiver == "Server",
			n.Package == "net/rpc" && n.Receiver == "service":
			return true
		}
	}
	return false
}

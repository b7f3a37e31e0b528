package spin

import (
	"fmt"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
)

// explainTight is tight-loop (TR107).
func explainTight(a *active) spin {
	bl := a.blame()
	doing := "with no call below it"
	if bl.Index > a.leaf {
		doing = "about to run " + rules.PlaceText(rules.PlaceOf(a.bucket.Frames[a.leaf].Frame)) + " once more"
	}
	return spin{
		act: "is all that computes, in its own loop",
		why: fmt.Sprintf("%s was stopped while it computed in %s, %s; all others wait. That is what a loop "+
			"on a condition that nobody changes looks like.", a.who(), rules.PlaceText(bl.Culprit), doing),
		fix: a.fill("Look at the loop in {in}: what ends it, and who changes that? Wait for it on a channel, a " +
			"sync.Cond or a context (a plain variable that another goroutine writes is a data race: the compiler may " +
			"never read it again)."),
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

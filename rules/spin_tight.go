package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/frame"
)

// tightLoop is TR107.
func tightLoop() *Rule {
	return &Rule{
		ID: "TR107", Name: "tight-loop", Category: Spin, Severity: High, Needs: NeedsDump | NeedsStates,
		Doc: Doc{
			Title:          "The only goroutine on a CPU loops in its own code",
			Why:            "It was stopped while it computed (runtime.asyncPreempt on top, or running on a thread), its leaf is the program's own function and no library's, and every other goroutine waits: an empty loop, or a loop on a condition that nobody changes.",
			Fix:            "Wait for the condition on a channel, a sync.Cond or a context.",
			FalsePositives: "Stacks without the runtime's frames (before Go 1.19, and debug=2) do not tell a loop from a goroutine that was just woken from a channel: there only one that is running counts. A lone computation of real work in the program's own code, in a process that is idle otherwise. Left alone are requests being served, workers of a pool whose others wait, parts of a task whose starter waits for them, what a library calls back (a sort's comparison), and code for which the runtime was at work (allocating, copying, sending). A second dump tells: real work moves on.",
			Refs:           []string{"https://go.dev/doc/go1.14#runtime"},
		},
		Run: spinRun(func(a *active, all []active) (spin, bool) {
			if !loopsTight(a, all) {
				return spin{}, false
			}
			bl := a.blame()
			doing := "with no call below it"
			if bl.Index > a.leaf {
				doing = "about to run " + place(PlaceOf(a.bucket.Frames[a.leaf].Frame)) + " once more"
			}
			return spin{
				act: "is all that computes, in its own loop",
				why: fmt.Sprintf("%s was stopped while it computed in %s, %s; all others wait. That is what a loop on a condition that nobody changes looks like.", a.who(), place(bl.Culprit), doing),
				fix: fmt.Sprintf("Look at the loop in %s: what ends it, and who changes that? Wait for it on a channel, a sync.Cond or a context (a plain variable that another goroutine writes is a data race: the compiler may never read it again).", place(bl.Culprit)),
			}, true
		}),
	}
}

func loopsTight(a *active, all []active) bool {
	return a.act == actOwn && a.d.Roles[a.index] == nil && alone(all) && a.onCPU() && !a.leafIsLibrary() &&
		!a.servesRequest() && !a.runtimeWorks() && !a.calledBack() && !a.peerWaits() && !a.joined()
}

// servesRequest reports whether the goroutine serves an HTTP or RPC request: it may compute, and one dump can't tell for
// how long.
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

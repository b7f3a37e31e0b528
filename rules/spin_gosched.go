package rules

import "fmt"

// busyWait is TR101.
func busyWait() *Rule {
	return &Rule{
		ID: "TR101", Name: "busy-wait", Category: Spin, Severity: High, Needs: NeedsDump | NeedsStates,
		Doc: Doc{
			Title:          "A goroutine waits by yielding: runtime.Gosched in a loop",
			Why:            "runtime.Gosched on top of a running or runnable goroutine: it gives the CPU away and wants it back at once. A goroutine that waits properly is parked and shows as chan receive, select, sleep or the like.",
			Fix:            "Wait on a channel, a sync.Cond or a context; where it must poll, sleep between checks.",
			FalsePositives: "Code that yields once between two pieces of work, caught in that moment. Known ones (a gRPC transport's writer) have a role and are left alone.",
			Refs:           []string{"https://pkg.go.dev/runtime#Gosched", "https://github.com/harvester/harvester/issues/2558"},
		},
		Run: spinRun(func(a *active, all []active) (spin, bool) {
			if !yields(a, all) {
				return spin{}, false
			}
			c := a.blame().Culprit
			return spin{
				act: "busy-waits on runtime.Gosched",
				why: fmt.Sprintf("Runnable with runtime.Gosched on top: %s yields in a loop instead of waiting, and takes a whole CPU for as long as it does.", place(c)),
				fix: "Let it wait on a channel, a sync.Cond or a context. If it must poll, let it sleep between checks.",
			}, true
		}),
	}
}

func yields(a *active, _ []active) bool { return a.act == actYields && a.d.Roles[a.index] == nil }

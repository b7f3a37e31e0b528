package rules

import "fmt"

// busyWait is TR101.
func busyWait() *Rule {
	return &Rule{
		ID: "TR101", Name: "busy-wait", Category: Spin, Severity: High, Needs: NeedsDump | NeedsStates,
		Run: spinRun(func(a *active, all []active) (spin, bool) {
			if !yields(a, all) {
				return spin{}, false
			}
			c := a.blame().Culprit
			return spin{
				act: "busy-waits on runtime.Gosched",
				why: fmt.Sprintf("Runnable with runtime.Gosched on top: %s yields in a loop instead of waiting, and takes a whole CPU for as long as it does.", placeText(c)),
				fix: "Let it wait on a channel, a sync.Cond or a context. If it must poll, let it sleep between checks.",
			}, true
		}),
	}
}

func yields(a *active, _ []active) bool { return a.act == actYields && a.d.Roles[a.index] == nil }

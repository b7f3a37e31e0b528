package spin

import (
	"fmt"

	"github.com/gotriage/triage/rules"
)

// busyWait is TR101.
func busyWait() *rules.Rule {
	return &rules.Rule{
		ID: "TR101", Name: "busy-wait", Category: rules.Spin, Severity: rules.High, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: spinRun(func(a *active, all []active) (spin, bool) {
			if !yields(a, all) {
				return spin{}, false
			}
			c := a.blame().Culprit
			return spin{
				act: "busy-waits on runtime.Gosched",
				why: fmt.Sprintf("Runnable with runtime.Gosched on top: %s yields in a loop instead of waiting, and "+
					"takes a whole CPU for as long as it does.", rules.PlaceText(c)),
				fix: "Let it wait on a channel, a sync.Cond or a context. If it must poll, let it sleep between " +
					"checks.",
			}, true
		}),
	}
}

func yields(a *active, _ []active) bool { return a.act == actYields && a.d.RoleOf(a.index) == nil }

package spin

import (
	"fmt"

	"github.com/gotriage/triage/rules"
)

// clockSpin is TR105.
func clockSpin() *rules.Rule {
	return &rules.Rule{
		ID: "TR105", Name: "clock-spin", Category: rules.Spin, Severity: rules.High, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: spinRun(func(a *active, all []active) (spin, bool) {
			if !readsClock(a, all) {
				return spin{}, false
			}
			c := a.blame().Culprit
			return spin{
				act: "waits by reading the clock",
				why: fmt.Sprintf("%s is the only goroutine that does not wait, and was caught reading the clock in "+
					"%s: a loop until a time has come takes a whole CPU.", a.who(), rules.PlaceText(c)),
				fix: fmt.Sprintf("Let %s sleep until the time, or wait for a time.Timer or a context's deadline.",
					rules.PlaceText(c)),
			}, true
		}),
	}
}

func readsClock(a *active, all []active) bool {
	return a.act == actClock && a.d.RoleOf(a.index) == nil && crowd(all) == 0 && woken(all) == 0 && !a.peerWaits()
}

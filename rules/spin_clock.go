package rules

import "fmt"

// clockSpin is TR105.
func clockSpin() *Rule {
	return &Rule{
		ID: "TR105", Name: "clock-spin", Category: Spin, Severity: High, Needs: NeedsDump | NeedsStates,
		Run: spinRun(func(a *active, all []active) (spin, bool) {
			if !readsClock(a, all) {
				return spin{}, false
			}
			c := a.blame().Culprit
			return spin{
				act: "waits by reading the clock",
				why: fmt.Sprintf("%s is the only goroutine that does not wait, and was caught reading the clock in %s: a loop until a time has come takes a whole CPU.", a.who(), placeText(c)),
				fix: fmt.Sprintf("Let %s sleep until the time, or wait for a time.Timer or a context's deadline.", placeText(c)),
			}, true
		}),
	}
}

func readsClock(a *active, all []active) bool {
	return a.act == actClock && a.d.Roles[a.index] == nil && crowd(all) == 0 && woken(all) == 0 && !a.peerWaits()
}

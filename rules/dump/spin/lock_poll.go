package spin

import (
	"fmt"

	"github.com/gotriage/triage/rules"
)

// lockPoll is TR110.
func lockPoll() *rules.Rule {
	return &rules.Rule{
		ID: "TR110", Name: "lock-poll", Category: rules.Spin, Severity: rules.High, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: spinRun(func(a *active, all []active) (spin, bool) {
			if !locksOverAndOver(a, all) {
				return spin{}, false
			}
			c := a.blame().Culprit
			return spin{
				act: "polls under a lock",
				why: fmt.Sprintf("%s is the only goroutine that computes, and was caught taking or releasing a free "+
					"lock in %s: it locks, looks and unlocks over and over.", a.who(), rules.PlaceText(c)),
				fix: fmt.Sprintf("Let whoever calls %s in a loop wait on a sync.Cond with the same lock, or on a "+
					"channel that is closed when the value changes.", rules.PlaceText(c)),
			}, true
		}),
	}
}

func locksOverAndOver(a *active, all []active) bool {
	return a.act == actFastLock && a.d.RoleOf(a.index) == nil && alone(all) && !a.servesRequest() && !a.peerWaits()
}

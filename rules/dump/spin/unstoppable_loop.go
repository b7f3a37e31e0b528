package spin

import (
	"fmt"

	"github.com/gotriage/triage/rules"
)

// unstoppableLoop is TR108.
func unstoppableLoop() *rules.Rule {
	return &rules.Rule{
		ID: "TR108", Name: "unstoppable-loop", Category: rules.Spin, Severity: rules.High, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: spinRun(func(a *active, all []active) (spin, bool) {
			if !cannotStop(a, all) {
				return spin{}, false
			}
			c := a.blame().Culprit
			return spin{
				act: "started a loop that can't be stopped",
				why: fmt.Sprintf("%s is on a CPU and its stack is unavailable: it did not stop when the runtime "+
					"asked it to; all others wait. It was started by %s, which is all that the dump tells.", a.who(),
					rules.PlaceText(c)),
				fix: fmt.Sprintf("Look at what the go statement in %s starts: a loop without a call, on a condition "+
					"that nobody changes? Wait for it on a channel, a sync.Cond or a context.", rules.PlaceText(c)),
			}, true
		}),
	}
}

// cannotStop asks for more quiet than alone does: without a stack, that nothing else goes on is all the evidence.
func cannotStop(a *active, all []active) bool {
	return a.act == actNoStack && a.bucket.CreatedBy != nil && !isLibrary(a.d, a.bucket.CreatedBy.Frame) &&
		alone(all) && woken(all) == 0 && !a.talks() && !a.peerWaits() && !a.joined()
}

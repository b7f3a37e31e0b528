package spin

import (
	"fmt"

	"github.com/gotriage/triage/internal/frame"
	"github.com/gotriage/triage/rules"
)

// atomicSpin is TR106.
func atomicSpin() *rules.Rule {
	return &rules.Rule{
		ID: "TR106", Name: "atomic-spin", Category: rules.Spin, Severity: rules.High, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: spinRun(func(a *active, all []active) (spin, bool) {
			if !spinsOnValue(a, all) {
				return spin{}, false
			}
			c := a.blame().Culprit
			return spin{
				act: "polls with " + frame.ShortFunc(a.called()),
				why: fmt.Sprintf("%s is on a CPU inside %s, called from %s: a loop that polls a value instead of "+
					"waiting for it.", a.who(), a.called(), rules.PlaceText(c)),
				fix: fmt.Sprintf("Let %s wait on a channel, a sync.Cond or a mutex; whoever changes the value "+
					"wakes it.", rules.PlaceText(c)),
			}, true
		}),
	}
}

func spinsOnValue(a *active, all []active) bool {
	switch {
	case a.d.RoleOf(a.index) != nil:
		return false
	case a.act == actLooksUp: // some 20 ns and more, by the map's size and the key: not as sure
		return alone(all) && !a.peerWaits() && !a.servesRequest()
	}
	return a.act == actAtomic && crowd(all) <= maxCrowd
}

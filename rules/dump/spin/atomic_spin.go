package spin

import (
	"github.com/gotriage/triage/internal/frame"
)

// explainAtomic is atomic-spin (TR106).
func explainAtomic(a *active) spin {
	return spin{
		act: "polls with " + frame.ShortFunc(a.called()),
		why: a.fill("{who} is on a CPU inside {called}, called from {in}: a loop that polls a value instead of " +
			"waiting for it."),
		fix: a.fill("Let {in} wait on a channel, a sync.Cond or a mutex; whoever changes the value " + "wakes it."),
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

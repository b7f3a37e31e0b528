package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/frame"
)

// atomicSpin is TR106.
func atomicSpin() *Rule {
	return &Rule{
		ID: "TR106", Name: "atomic-spin", Category: Spin, Severity: High, Needs: NeedsDump | NeedsStates,
		Doc: Doc{
			Title:          "A goroutine spins on an atomic value or a sync.Map: load or compare-and-swap in a loop",
			Why:            "An atomic operation on top of a goroutine that is on a CPU. One takes nanoseconds, so a goroutine is caught there only when it does little else: a spin lock, or a flag polled for ever.",
			Fix:            "Use a sync.Mutex, a channel or a sync.Cond instead of polling the value.",
			FalsePositives: "A busy program that updates counters, caught in that moment; so it fires only where at most two other goroutines compute, and for a sync.Map where none does.",
			Refs:           []string{"https://pkg.go.dev/sync/atomic"},
		},
		Run: spinRun(func(a *active, all []active) (spin, bool) {
			if !spinsOnValue(a, all) {
				return spin{}, false
			}
			c := a.blame().Culprit
			return spin{
				act: "polls with " + frame.ShortFunc(a.called()),
				why: fmt.Sprintf("%s is on a CPU inside %s, called from %s: a loop that polls a value instead of waiting for it.", a.who(), a.called(), place(c)),
				fix: fmt.Sprintf("Let %s wait on a channel, a sync.Cond or a mutex; whoever changes the value wakes it.", place(c)),
			}, true
		}),
	}
}

func spinsOnValue(a *active, all []active) bool {
	switch {
	case a.d.Roles[a.index] != nil:
		return false
	case a.act == actLooksUp: // some 20 ns and more, by the map's size and the key: not as sure
		return alone(all) && !a.peerWaits() && !a.servesRequest()
	}
	return a.act == actAtomic && crowd(all) <= maxCrowd
}

package spin

import (
	_ "embed"

	"github.com/gotriage/triage/rules"
)

//go:embed doc.md
var spinDoc string

// Rules returns the rules about goroutines that burn a CPU without getting anywhere (TR1xx). A dump stops the world, so
// a spinner looks like any goroutine that computes; each rule takes one signature, and each goroutine has one act
// (activity.go), so no two of them accuse the same one.
func Rules() []*rules.Rule {
	return rules.Documented(spinDoc, []*rules.Rule{
		spinRule("TR101", "busy-wait", yields, explainYield),
		spinRule("TR102", "polling-select", polls, explainPoll),
		spinRule("TR103", "zero-timer-loop", startsTimers, explainTimers),
		tinySleep(),
		spinRule("TR105", "clock-spin", readsClock, explainClock),
		spinRule("TR106", "atomic-spin", spinsOnValue, explainAtomic),
		spinRule("TR107", "tight-loop", loopsTight, explainTight),
		spinRule("TR108", "unstoppable-loop", cannotStop, explainUnstoppable),
		spinInTwoDumps(),
		spinRule("TR110", "lock-poll", locksOverAndOver, explainLockPoll),
	})
}

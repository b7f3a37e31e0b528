package spin

import (
	"fmt"
	"time"

	"github.com/gotriage/triage/rules"
)

// zeroTimer is TR103.
func zeroTimer() *rules.Rule {
	return &rules.Rule{
		ID: "TR103", Name: "zero-timer-loop", Category: rules.Spin, Severity: rules.High, Needs: rules.NeedsDump | rules.NeedsStates,
		Run: spinRun(func(a *active, all []active) (spin, bool) {
			if !startsTimers(a, all) {
				return spin{}, false
			}
			c := a.blame().Culprit
			fn := a.called()
			return spin{
				act: "polls with " + fn + " of next to nothing",
				why: fmt.Sprintf("%s is the only goroutine that does not wait, and was caught inside %s, called from "+
					"%s: it starts timers over and over, so their period must be next to nothing.", a.who(), fn,
					rules.PlaceText(c)),
				fix: fmt.Sprintf("Give the timer in %s a real period (a zero or negative duration fires at once), "+
					"make one time.Ticker outside the loop, or wait for the event itself.", rules.PlaceText(c)),
			}, true
		}),
	}
}

// maxPollSleep is the longest time.Sleep that may still be a poll: with 1 ms a loop takes about a hundredth of a CPU.
const maxPollSleep = time.Millisecond

func startsTimers(a *active, all []active) bool {
	if a.act != actTimes || a.d.RoleOf(a.index) != nil || crowd(all) > 0 || woken(all) > 0 || a.peerWaits() {
		return false
	}
	sleep, ok := SleepTime(a.bucket)
	if !ok && sleep >= maxPollSleep && written(sleep) {
		return false // a stale word is what it was mostly: a length as people write them is no chance
	}
	return !ok || sleep > maxTinySleep && sleep < maxPollSleep // else TR104's, or a sleep of some length
}

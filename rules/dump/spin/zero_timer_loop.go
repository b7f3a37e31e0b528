package spin

import (
	"time"
)

// explainTimers is zero-timer-loop (TR103).
func explainTimers(a *active) spin {
	fn := a.called()
	return spin{
		act: "polls with " + fn + " of next to nothing",
		why: a.fill("{who} is the only goroutine that does not wait, and was caught inside {called}, called from " +
			"{in}: it starts timers over and over, so their period must be next to nothing."),
		fix: a.fill("Give the timer in {in} a real period (a zero or negative duration fires at once), make one " +
			"time.Ticker outside the loop, or wait for the event itself."),
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

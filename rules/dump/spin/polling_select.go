package spin

import (
	"github.com/gotriage/triage/internal/frame"
)

// polls reports whether a polls channels. A channel operation that need not wait is rarely caught in the act, unless it
// is all that is done; a receive that found something and a question to a context are what busy code does as well.
func polls(a *active, all []active) bool {
	if a.d.RoleOf(a.index) != nil {
		return false
	}
	switch a.act {
	case actPolls:
		if a.mayPark() {
			return alone(all) && woken(all) == 0 && !a.servesRequest()
		}
		return crowd(all) <= maxCrowd
	case actReceives:
		return alone(all) && woken(all) == 0 && !a.talks() && !a.near().sends && !a.servesRequest()
	case actAsksContext:
		return alone(all) && woken(all) == 0 && !a.peerWaits() && !a.servesRequest()
	}
	return false
}

// mayPark reports whether the goroutine is in a select without a default case: its closed channel makes a loop spin,
// but so is it when it was just woken and takes its channels' locks (runtime.selectgo, whose sixth word is block).
func (a *active) mayPark() bool {
	for i := range a.bucket.Frames {
		if a.bucket.Frames[i].Func == "runtime.selectgo" {
			w := a.bucket.Args()[i].Words
			return len(w) > 5 && w[5].Known && !w[5].Uncertain && w[5].Value == 1
		}
	}
	return false
}

// explainPoll is polling-select (TR102).
func explainPoll(a *active) spin {
	switch a.act {
	case actReceives:
		return spin{
			act: "receives from a channel without waiting",
			why: a.fill("{who} is on a CPU inside a receive of {in}, not parked in it, and nothing else goes on that " +
				"could send: a receive from a closed channel returns at once, always."),
			fix: a.fill("Leave the loop in {in} when the channel is closed (v, ok := <-ch), or set the channel to nil."),
		}
	case actAsksContext:
		return spin{
			act: "polls with " + frame.ShortFunc(a.called()),
			why: a.fill("{who} is the only goroutine that computes, and was caught inside {called}, called from {in}: " +
				"it asks over and over whether a context has ended."),
			fix: a.fill("Let {in} wait for <-ctx.Done() in a select without a default case."),
		}
	}
	return spin{
		act: "polls channels without waiting",
		why: a.fill("{who} is on a CPU inside a channel operation of {in} that does not wait: a select with a default " +
			"case (or one whose channel is closed) in a loop never parks, and takes a whole CPU."),
		fix: a.fill("Drop the default case in {in} so that the select blocks; if something must be done between " +
			"checks, wait for a ticker in the same select. Leave the loop when a channel is closed."),
	}
}

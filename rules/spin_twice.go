package rules

import "fmt"

// spinInTwoDumps is TR109.
func spinInTwoDumps() *Rule {
	return &Rule{
		ID: "TR109", Name: "spin-in-two-dumps", Category: Spin, Severity: High, Needs: NeedsDumps,
		Doc: Doc{
			Title:          "The same goroutine computes in the same place in two dumps",
			Why:            "A goroutine that gets on moves on. The same one on a CPU at the same lines of the program's own code in two dumps of one process, with few others computing, has been there all the time.",
			Fix:            "Look at what ends the loop around that line.",
			FalsePositives: "A worker of a busy pool that does the same work again; so it fires only where at most two goroutines do so, and asks for a third dump where other workers of the pool wait. Two dumps taken within milliseconds of each other.",
			Refs:           []string{"https://go.dev/doc/diagnostics"},
		},
		Run: runSpinInTwoDumps,
	}
}

// maxBusy is how many goroutines may compute in a dump for them to be looked up in the others: the top of what healthy
// servers under load show (5 to 30). Beyond it the process is busy, whatever a few of them do.
const maxBusy = 30

func runSpinInTwoDumps(p *Pass) []Finding {
	var found []Finding
	for _, d := range p.Dumps {
		if !asked(d) {
			continue
		}
		all := activity(d)
		if crowd(all) > maxBusy {
			continue
		}
		for _, a := range stuck(p, all) {
			if accusedAlone(&a, all) {
				continue // another rule has it already, with high confidence
			}
			c := a.blame().Culprit
			found = append(found, a.finding(p, spin{
				act: "computes in the same place in every dump",
				why: fmt.Sprintf("%s is on a CPU in %s.", a.who(), place(c)),
				fix: fmt.Sprintf("Look at the loop in %s: what ends it, and who changes that?", place(c)),
			}))
		}
	}
	return found
}

// stuck are the goroutines that compute in the same function in other dumps of the process, where they are few.
func stuck(p *Pass, all []active) []active {
	var found []active
	n := 0
	for i := range all {
		a := &all[i]
		if !a.maySpin() {
			continue
		}
		again := a.again(p, dumpsNeeded(a))
		if n += len(again.goroutines); n > maxCrowd {
			return nil // a busy pool
		}
		if len(again.goroutines) > 0 {
			found = append(found, again)
		}
	}
	return found
}

// maySpin reports whether two dumps can accuse a: it does nothing that ends by itself, and has no job that keeps it busy.
func (a *active) maySpin() bool {
	switch a.act {
	case actNoStack:
		return true
	case actPolls, actReceives, actAsksContext, actTimes, actClock, actAtomic, actLooksUp, actFastLock, actOwn:
		return a.d.Roles[a.index] == nil && !a.servesRequest()
	}
	return false
}

// dumpsNeeded is in how many other dumps a goroutine must be found at work: a worker whose peers wait is as likely as
// each of them to have got the next job as well, so it takes two more dumps.
func dumpsNeeded(a *active) int {
	if a.peerWaits() {
		return 2
	}
	return 1
}

// accusedAlone reports whether a single dump is enough for one of the other rules.
func accusedAlone(a *active, all []active) bool {
	for _, accuses := range []func(*active, []active) bool{
		yields, polls, startsTimers, readsClock, spinsOnValue, loopsTight, cannotStop, locksOverAndOver,
	} {
		if accuses(a, all) {
			return true
		}
	}
	return false
}

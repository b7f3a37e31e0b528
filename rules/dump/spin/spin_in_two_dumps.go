package spin

import (
	"slices"

	"github.com/gotriage/triage/rules"
)

// spinInTwoDumps is spin-in-two-dumps (TR109).
func spinInTwoDumps() *rules.Rule {
	return spinRule("TR109", "spin-in-two-dumps", rules.NeedsDumps, func(p *rules.Pass, report accuser) {
		known := reported{}
		for _, d := range p.AskedDumps() {
			all := activity(d)
			if !quiet(all) {
				continue
			}
			for _, a := range stuck(p, all) {
				// Another rule may have it already, with high confidence.
				rest := known.rest(a)
				if !slices.ContainsFunc(signatures(), func(s signature) bool { return s.accuses(&a, all) }) {
					report(rest, rest.facts())
				}
			}
		}
	})
}

// quiet reports whether hardly any goroutine beside one spinner computes or was just woken. In a busy process the same
// ones are at work in every dump: of 78 pairs of dumps of busy pools and pipelines 13 had one that looked stuck (Go
// 1.26).
func quiet(all []active) bool {
	return woken(all)+computing(all) <= 1+maxCrowd
}

// stuck are the goroutines that compute in the same function in other dumps of the process, where they are few. One
// that may just have been woken (see onCPU) must be the only one: two that are both runnable may wake each other.
func stuck(p *rules.Pass, all []active) []active {
	var found []active
	n := 0
	for i := range all {
		a := &all[i]
		if !a.maySpin() || a.act == actOwn && !a.onCPU() && !alone(all) {
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

// maySpin reports whether two dumps can accuse a: it does nothing that ends by itself, has no job that keeps it busy,
// and no other goroutine that it may be working with.
func (a *active) maySpin() bool {
	if a.servesRequest() || a.talks() && !a.peerWaits() || a.joined() || a.d.RoleOf(a.index) != nil {
		return false
	}
	switch a.act {
	case actNoStack, actPolls, actReceives, actAsksContext, actTimes, actClock, actAtomic, actLooksUp, actFastLock:
		return true
	case actOwn:
		return !a.runtimeWorks() && !a.calledBack()
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

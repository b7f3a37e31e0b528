package spin

import (
	"slices"

	"github.com/gotriage/triage/rules"
)

// spinInTwoDumps is spin-in-two-dumps (TR109).
func spinInTwoDumps() *rules.Rule {
	const id, name = "TR109", "spin-in-two-dumps"
	run := func(p *rules.Pass) []rules.Finding {
		var found []rules.Finding
		known := reported{}
		alive := p.AliveDumps()
		later := worksOf(alive)
		for _, d := range alive {
			all := activity(d)
			for _, a := range stuck(p, all) {
				// Another rule may have it already, with high confidence.
				rest := known.rest(a)
				if len(rest.goroutines) > 0 && !accusedByOne(&a, all) {
					found = append(found, rest.finding(p, name, rest.facts()))
				}
			}
			for _, c := range longCalls(&later, d, all) {
				if !accusedByOne(c.a, all) && !known.has(c.a.d.Process, c.g.ID) {
					found = append(found, c.finding(p, name))
				}
				for _, id := range append(c.requests, c.g.ID) {
					known.note(c.a.d.Process, id)
				}
			}
		}
		return found
	}
	return &rules.Rule{
		ID: id, Name: name, Category: rules.Spin, Severity: rules.High, Needs: rules.NeedsDumps, Run: run,
	}
}

// accusedByOne reports whether one dump is enough for a signature to accuse a.
func accusedByOne(a *active, all []active) bool {
	return slices.ContainsFunc(signatures(), func(s signature) bool { return s.surely(a, all) })
}

// quiet reports whether hardly any goroutine beside one spinner computes or was just woken. In a busy process the same
// ones are at work in every dump: of 78 pairs of dumps of busy pools and pipelines 13 had one that looked stuck (Go
// 1.26).
func quiet(all []active) bool {
	return woken(all)+computing(all) <= 1+maxCrowd
}

// stuck are the goroutines that do next to nothing, in the same function in other dumps of the process, where they are
// few. One that may just have been woken (see onCPU) must be the only one: two that are both runnable may wake each
// other.
func stuck(p *rules.Pass, all []active) []active {
	if !quiet(all) {
		return nil
	}
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

// maySpin reports whether two dumps can accuse a of doing nothing: it has no job that keeps it busy, no other goroutine
// that it may be working with, and its loop has no room for work, unless it is one of several workers (see
// dumpsNeeded).
func (a *active) maySpin() bool {
	if a.servesRequest() || a.talks() && !a.peerWaits() || a.joined() || a.d.RoleOf(a.index) != nil {
		return false
	}
	switch a.act {
	case actNoStack, actPolls, actReceives, actAsksContext, actTimes, actClock, actAtomic, actLooksUp, actFastLock:
		return true
	case actOwn:
		return !a.runtimeWorks() && !a.calledBack() && (a.peerWaits() || a.tinyLoop())
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

// finding accuses the innermost function that both dumps show.
func (c *longCall) finding(p *rules.Pass, name string) rules.Finding {
	one := *c.a
	one.goroutines = []goroutine{c.g}
	bl := rules.BlameBelow(c.a.d, c.a.bucket, c.looping())
	facts := one.facts()
	facts.Cases = append(facts.Cases, c.why)
	facts.Values["in"] = rules.PlaceText(bl.Culprit)
	facts.Values["asked"] = rules.PlaceText(c.asked())
	facts.Values["input"] = c.input
	switch c.why {
	case whyGone:
		facts.Doubt = takenOver
	case whyLong, whyLoop:
		facts.Doubt = longCallToo
	}
	bl.Path, bl.Creator = one.blame().Path, one.blame().Creator
	f := one.findingAt(bl, p, name, facts)
	f.Count, f.Notes = 1, nil
	f.Evidence = append(f.Evidence[:1], rules.EvidenceOfGoroutines(c.o.d, []goroutine{c.og}, ""))
	// A request is known by its address; other calls may be alike without being one.
	proves := c.a.servesRequest() && (c.why == whySmall || c.why == whyEmpty)
	f.Confidence = facts.Doubt.Confidence(proves)
	if c.why == whyMore {
		f.Count = len(c.requests)
	}
	return f
}

package rules

import (
	"fmt"
	"strings"
)

// Thresholds of runawayRecursion, in frames that a dump leaves out of one stack (tracebacks show 100). Frames take a
// hundred bytes and more, so that a hundred thousand are 10 MB, and the runtime ends the process at 1 GB. No dump of
// the corpus leaves out more than 207, but those of stack overflows, which leave out 32,000 and more.
const (
	deepStack     = 1000
	veryDeepStack = 100_000
)

// runawayRecursion is TR439.
func runawayRecursion() *Rule {
	return &Rule{
		ID: "TR439", Name: "runaway-recursion", Category: Memory, Severity: Medium, Needs: NeedsDump,
		Run: func(p *Pass) []Finding {
			var found []Finding
			for _, d := range p.Dumps {
				if d.Goroutines > 0 && asked(d) {
					found = append(found, recursions(p, d)...)
				}
			}
			return found
		},
	}
}

func recursions(p *Pass, d *DumpInput) []Finding {
	var found []Finding
	told := map[string]bool{}
	for _, b := range d.Buckets {
		deep := elided(b.Frames)
		if deep < deepStack {
			continue
		}
		cyc, ok := findCycle(b.Frames)
		if !ok {
			continue
		}
		bl, ok := blameCycle(d, b, cyc)
		if !ok {
			bl = blameFrom(d, b, 0)
		}
		key := Fingerprint("TR439", bl.Culprit, bl.Creator)
		if told[key] {
			continue
		}
		told[key] = true
		w := &waiters{p: p, d: d, blame: bl, count: b.Count, minutes: b.MaxMinutes}
		w.buckets = append(w.buckets, b)
		names := callOrder(b.Frames, bl.Index, cyc)
		ch := waitFinding{
			severity: Low, confidence: ConfMedium,
			act: fmt.Sprintf("calls itself, more than %d frames deep", deep),
			why: fmt.Sprintf("The same %s over and over in %s: %s. %d frames are not even shown.", rounds(cyc.period),
				w.who(), strings.Join(firstNames(names), " -> "), deep),
			fix: fmt.Sprintf("Give the recursion through %s an end: a base case, a depth limit, or a set of what "+
				"was visited.", w.in()),
			next: secondDump(d.Target),
		}
		if cyc.period > 1 {
			ch.act = fmt.Sprintf("is in a cycle of %d calls, more than %d frames deep", cyc.period, deep)
		}
		if how := selfCall(b.Frames[cyc.start : cyc.start+cyc.period]); how != "" {
			ch.fix = how
		}
		if deep >= veryDeepStack {
			ch.severity = Medium
		}
		found = append(found, w.finding(ch))
	}
	return found
}

package wait

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
)

// Thresholds of runawayRecursion, in frames that a dump leaves out of one stack (tracebacks show 100). Frames take a
// hundred bytes and more, so that a hundred thousand are 10 MB, and the runtime ends the process at 1 GB. No dump of
// the corpus leaves out more than 207, but those of stack overflows, which leave out 32,000 and more.
const (
	deepStack     = 1000
	veryDeepStack = 100_000
)

// runawayRecursion is runaway-recursion (TR439).
func runawayRecursion() *rules.Rule {
	return &rules.Rule{
		ID: "TR439", Name: "runaway-recursion", Category: rules.Memory, Severity: rules.Medium, Needs: rules.NeedsDump,
		Run: func(p *rules.Pass) []rules.Finding {
			var found []rules.Finding
			for _, d := range p.AskedDumps() {
				found = append(found, recursions(p, d)...)
			}
			return found
		},
	}
}

func recursions(p *rules.Pass, d *rules.DumpInput) []rules.Finding {
	var found []rules.Finding
	known := map[string]bool{}
	for _, b := range d.Buckets {
		deep := Elided(b.Frames)
		if deep < deepStack {
			continue
		}
		cyc, ok := FindCycle(b.Frames)
		if !ok {
			continue
		}
		bl, ok := BlameCycle(d, b, cyc)
		if !ok {
			bl = rules.BlameFrom(d, b, 0)
		}
		key := rules.Fingerprint("TR439", bl.Culprit, bl.Creator)
		if known[key] {
			continue
		}
		known[key] = true
		w := &waiters{dumpIndex: &dumpIndex{p: p, d: d}, blame: bl}
		w.add(b, b.Count)
		names := CallOrder(b.Frames, bl.Index, cyc)
		ch := account{
			level: level{rules.Low, rules.ConfMedium},
			act:   fmt.Sprintf("calls itself, more than %d frames deep", deep),
			why: fmt.Sprintf("The same %s over and over in %s: %s. %d frames are not even shown.", Rounds(cyc.Period),
				w.who(), strings.Join(FirstNames(names), " -> "), deep),
			fix: w.fill("Give the recursion through {in} an end: a base case, a depth limit, or a set of what " +
				"was visited."),
			next: secondDump(d.Target),
		}
		if cyc.Period > 1 {
			ch.act = fmt.Sprintf("is in a cycle of %d calls, more than %d frames deep", cyc.Period, deep)
		}
		if how := SelfCall(b.Frames[cyc.Start : cyc.Start+cyc.Period]); how != "" {
			ch.fix = how
		}
		if deep >= veryDeepStack {
			ch.severity = rules.Medium
		}
		found = append(found, w.finding(ch))
	}
	return found
}

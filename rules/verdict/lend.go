package verdict

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/rules"
)

// heapGrowthRule is the rule that sees memory grow and knows nothing about it.
const heapGrowthRule = "TR602"

// exact reports a rule that knows the cause of what others see from further off: a child process that hangs, loops of
// objects that are made again and again, variables of which the code shows who holds them, metrics by a label without
// bound, timers that nobody stops.
func exact(rule string) bool {
	return slices.Contains([]string{"TR441", "TR446", "TR460", "TR461", "TR463", "TR464", "TR465", "TR604", "TR605",
		"TR608", "TR611", "TR614", "TR616", "TR617", "TR624", "TR625"}, rule)
}

// speaksFor reports whether a rule knows more of the same goroutines or the same memory than another one. Several
// dumps in which goroutines become more show more than one in which they are many: channel-receive-leak, select-leak.
func speaksFor(rule, other string) bool {
	return exact(rule) && !exact(other) || rule == growthRule && (other == "TR413" || other == "TR414")
}

// bySource reports a rule that proves what it reports by the program's source.
func bySource(rule string) bool { return strings.HasPrefix(rule, "TR46") }

// LendWords lets the findings of rules that know more speak for general ones about the same goroutines or the same
// memory, which they would rank below: they take their severity and confidence, and the general ones become notes of
// theirs. What the source only makes likely speaks for no alarm: that keeps its words.
func LendWords(found []rules.Finding, pass *rules.Pass) []rules.Finding {
	gone, dumps := make([]bool, len(found)), pods.IndexDumps(pass.Dumps)
	for i := range found {
		e := &found[i]
		for k := range found {
			f := &found[k]
			likely := bySource(e.Rule) && !e.Alarm() && f.Alarm() // f has better reasons
			if k == i || gone[i] || gone[k] || !speaksFor(e.Rule, f.Rule) || likely ||
				!sameGoroutines(e, f, dumps) && !sameMemory(e, f, pass) {
				continue
			}
			if f.Severity.Rank() > e.Severity.Rank() {
				e.Severity = f.Severity
			}
			if f.Confidence.Rank() > e.Confidence.Rank() {
				e.Confidence, e.Against = f.Confidence, f.Against
			}
			if f.Alarm() || !bySource(e.Rule) { // what the dump only suggests, the source has answered
				e.Notes = append(e.Notes, noteOf(f))
			}
			for _, ev := range f.Evidence {
				if !slices.ContainsFunc(e.Evidence, func(mine rules.Evidence) bool {
					return mine.Input == ev.Input && mine.Line == ev.Line && mine.Text == ev.Text
				}) {
					e.Evidence = append(e.Evidence, ev)
				}
			}
			gone[k] = true
		}
	}
	return without(found, func(i int) bool { return gone[i] })
}

// sameGoroutines reports whether all goroutines that f shows in the inputs of e are e's: by their ids, or where they
// wait if they are only counted. A finding about several dumps and one about the last of them may be of one cause.
func sameGoroutines(e, f *rules.Finding, dumps pods.DumpIndex) bool {
	n := 0
	for _, ev := range f.Evidence {
		mine := func(has func(rules.Evidence) bool) bool {
			return slices.ContainsFunc(e.Evidence, func(m rules.Evidence) bool {
				return m.Input == ev.Input && has(m) &&
					dumps.Process(m.Input, m.Line) == dumps.Process(ev.Input, ev.Line)
			})
		}
		if !mine(func(rules.Evidence) bool { return true }) {
			continue
		}
		for _, id := range ev.Goroutines {
			if !mine(func(m rules.Evidence) bool { return slices.Contains(m.Goroutines, id) }) {
				return false
			}
			n++
		}
		if ev.At != nil && len(ev.Goroutines) == 0 {
			if !mine(func(m rules.Evidence) bool { return m.At != nil && *m.At == *ev.At }) {
				return false
			}
			n++
		}
	}
	return n > 0
}

// sameMemory reports whether f's memory that grows is what e is about: of one process, and the function of one is on
// the other's path.
func sameMemory(e, f *rules.Finding, pass *rules.Pass) bool {
	if f.Rule != heapGrowthRule || len(e.Evidence) == 0 || len(f.Evidence) == 0 {
		return false
	}
	process := func(f *rules.Finding) string {
		for _, p := range pass.Profiles {
			if p.Input == f.Evidence[0].Input {
				return p.Process
			}
		}
		return ""
	}
	on := func(path []rules.PathFrame, function string) bool {
		return slices.ContainsFunc(path, func(p rules.PathFrame) bool { return baseOf(p.Function) == baseOf(function) })
	}
	return process(e) != "" && process(e) == process(f) &&
		(on(e.Path, f.Culprit.Function) || on(f.Path, e.Culprit.Function))
}

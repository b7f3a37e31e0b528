package coded

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/rules"
)

// localRules are the rules about variables of functions (TR460-TR462). A group of goroutines that can never go on is
// one rule's.
func localRules() []*rules.Rule {
	rule := func(id, name string, category rules.Category, run func(*rules.Pass) []rules.Finding) *rules.Rule {
		return &rules.Rule{ID: id, Name: name, Category: category, Severity: rules.High,
			Needs: rules.NeedsDump | rules.NeedsSource, Run: run}
	}
	return []*rules.Rule{
		rule("TR460", "abandoned-wait", rules.Leak, localRun(
			func(l *locals, group []*waiter) (rules.Finding, bool) {
				if deadlocked(group) {
					return rules.Finding{}, false
				}
				severity, confidence := l.leak(group)
				return l.write("abandoned-wait", severity, confidence, group), true
			})),
		rule("TR461", "nobody-ends-wait", rules.Deadlock, localRun(
			func(l *locals, group []*waiter) (rules.Finding, bool) {
				if !deadlocked(group) || onlyGroups(group) {
					return rules.Finding{}, false
				}
				severity, confidence := l.deadlock(group)
				return l.write("nobody-ends-wait", severity, confidence, group), true
			})),
		rule("TR462", "done-missing", rules.Deadlock, localRun(
			func(l *locals, group []*waiter) (rules.Finding, bool) {
				if !deadlocked(group) || !onlyGroups(group) {
					return rules.Finding{}, false
				}
				severity, confidence := l.deadlock(group)
				return l.write("done-missing", severity, confidence, group), true
			})),
	}
}

// deadlocked reports whether a group has who is needed: main, or the call that made what they wait on, whose caller
// waits. The others are left over: what made their variable has returned.
func deadlocked(group []*waiter) bool {
	return slices.ContainsFunc(group, func(w *waiter) bool { return w.inMain() || w.makes(group) })
}

// onlyGroups reports whether all wait for WaitGroups.
func onlyGroups(group []*waiter) bool {
	return !slices.ContainsFunc(group, func(w *waiter) bool { return w.wait.Kind != gocode.GroupWait })
}

// Thresholds. In a form that only counts, a goroutine that was just woken looks as if it waited: who woke it may have
// returned meanwhile. That lasts as long as it takes to be scheduled, so that few are woken at any time, while as many
// are at work (chosen).
const (
	manyLeft    = 1000 // left over: the process has lost 2 MB of stacks at least
	manyCounted = 10
)

// leak is how bad it is that goroutines are left over, and how sure.
func (l *locals) leak(group []*waiter) (rules.Severity, rules.Confidence) {
	n := 0
	for _, w := range group {
		n += w.stuck
	}
	severity := rules.Medium
	if n >= manyLeft {
		severity = rules.High
	}
	if !l.d.Counted() {
		return severity, rules.ConfHigh
	}
	busy := active(l.d)
	switch {
	case n >= manyCounted && n >= manyCounted*busy && group[0].others <= n:
		return severity, rules.ConfMedium
	case busy == 0 && group[0].others < 0:
		return rules.Medium, rules.ConfLow
	}
	return rules.Low, rules.ConfLow
}

// deadlock is how bad it is that goroutines wait that are needed, and how sure. In a form that only counts, goroutines
// that hand something over to each other all the time look the same, each of them just woken; not so where what could
// end a wait has left the stacks.
func (l *locals) deadlock(group []*waiter) (rules.Severity, rules.Confidence) {
	n, inMain := 0, false
	for _, w := range group {
		n += w.stuck
		inMain = inMain || w.inMain()
	}
	severity := rules.Medium
	if n > 1 || inMain {
		severity = rules.High
	}
	switch {
	case !l.d.Counted():
		return severity, rules.ConfHigh
	case len(group) == 1 && group[0].others < 0 && active(l.d) == 0:
		return rules.Medium, rules.ConfLow
	}
	return rules.Low, rules.ConfLow
}

// byCause orders the goroutines of a group: those whose wait the others' follow from come first.
func byCause(a, b *waiter) int {
	return cmp.Or(cmp.Compare(a.wait.Kind, b.wait.Kind), -cmp.Compare(a.stuck, b.stuck),
		cmp.Compare(a.bucket, b.bucket))
}

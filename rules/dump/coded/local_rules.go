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
				v := l.leak(group)
				return l.write("abandoned-wait", v, group), v.guilty
			})),
		rule("TR461", "nobody-ends-wait", rules.Deadlock, localRun(
			func(l *locals, group []*waiter) (rules.Finding, bool) {
				if !deadlocked(group) || onlyGroups(group) {
					return rules.Finding{}, false
				}
				v := l.deadlock(group)
				return l.write("nobody-ends-wait", v, group), v.guilty
			})),
		rule("TR462", "done-missing", rules.Deadlock, localRun(
			func(l *locals, group []*waiter) (rules.Finding, bool) {
				if !deadlocked(group) || !onlyGroups(group) {
					return rules.Finding{}, false
				}
				v := l.deadlock(group)
				return l.write("done-missing", v, group), v.guilty
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

// Thresholds (chosen). In a form that only counts, a goroutine that was just woken looks as if it waited, and who woke
// it may have returned meanwhile. Of 720 profiles of 30 healthy programs that hand values over all the time 6 had one
// stack like that, and 68, of pipelines, several that seemed to wait for each other. Two of the seven leaks of the wild
// lab's open halves have 600 to 800 goroutines, the others more.
const (
	manyLeft    = 1000 // left over: the process has lost 2 MB of stacks at least
	manyCounted = 100
	toOneActive = 10 // left over, for each that is at work
)

// leak is the verdict about goroutines that are left over.
func (l *locals) leak(group []*waiter) verdict {
	n := 0
	for _, w := range group {
		n += w.b.Count
	}
	v := l.proof().of(rules.Medium)
	if n >= manyLeft {
		v.severity = rules.High
	}
	if v.proven {
		return v.but(watches(group), mayWatch)
	}
	many := n >= manyCounted && n >= toOneActive*active(l.d)
	v.guilty = many || len(group) == 1
	return v.but(!many, justWoken)
}

// deadlock is the verdict about goroutines that wait and are needed. In a form that only counts, goroutines that hand
// something over to each other all the time look the same, each of them just woken: nothing is said of them.
func (l *locals) deadlock(group []*waiter) verdict {
	v := l.proof()
	if v.proven {
		return v.but(watches(group), mayWatch)
	}
	v.guilty = len(group) == 1 && active(l.d) == 0
	return v.but(true, justWoken)
}

// proof is a verdict that nothing speaks against yet: the source proves it, unless the form only counts goroutines.
func (l *locals) proof() verdict { return verdict{guilty: true, proven: !l.d.Counted()} }

// watches reports a goroutine that alone waits to hear of something: it may be meant to, of a failure say that did not
// come. Who sends has what nobody takes, and a Done is always due.
func watches(group []*waiter) bool {
	w := group[0]
	return len(group) == 1 && w.b.Count == 1 && w.wait.Kind != gocode.Send && w.wait.Kind != gocode.GroupWait
}

// byCause orders the goroutines of a group: those whose wait the others' follow from come first.
func byCause(a, b *waiter) int {
	return cmp.Or(cmp.Compare(a.wait.Kind, b.wait.Kind), -cmp.Compare(a.b.Count, b.b.Count),
		cmp.Compare(a.bucket, b.bucket))
}

package wait

import (
	_ "embed"
	"slices"
	"sync"

	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
)

//go:embed doc.md
var waitDoc string

//go:embed findings.md
var findingsText string

var findings = sync.OnceValue(func() account.Book { return account.Parse(findingsText) })

// Rules returns the rules about goroutines that wait.
func Rules() []*rules.Rule {
	return rules.Documented(waitDoc, slices.Concat(standstillRules(), waitingRules(), seriesRules()))
}

// standstillRules are the rules about goroutines that wait for each other (TR406-TR416). The graph gives every lock
// with waiters one blockage and every other bucket that waits at most one orphan, so that no two of these rules accuse
// for one cause.
func standstillRules() []*rules.Rule {
	return []*rules.Rule{
		dumpRule("TR406", "double-lock", rules.Deadlock, rules.High, standstillRun(ExplainDouble,
			waitgraph.DoubleLock)),
		dumpRule("TR407", "lock-cycle", rules.Deadlock, rules.High, standstillRun(ExplainCycle, waitgraph.LockCycle)),
		dumpRule("TR408", "rwmutex-recursion", rules.Deadlock, rules.High, standstillRun(ExplainReader,
			waitgraph.ReaderRecursion)),
		dumpRule("TR409", "lock-channel-cycle", rules.Deadlock, rules.High, standstillRun(ExplainHeld,
			waitgraph.HeldInChannel)),
		dumpRule("TR410", "waitgroup-stuck", rules.Deadlock, rules.High, both(
			standstillRun(ExplainHeld, waitgraph.HeldInWaitGroup),
			orphanRun("waitgroup-stuck", func(o *waitgraph.Orphan) bool { return o.Kind == waitgraph.WaitGroup }))),
		dumpRule("TR411", "cond-missed-signal", rules.Deadlock, rules.High, both(
			standstillRun(ExplainHeld, waitgraph.HeldInCond),
			orphanRun("cond-missed-signal", func(o *waitgraph.Orphan) bool { return o.Kind == waitgraph.Cond }))),
		dumpRule("TR412", "channel-send-leak", rules.Leak, rules.Medium, orphanRun("channel-send-leak",
			func(o *waitgraph.Orphan) bool { return o.Mode == waitgraph.ModeSend })),
		dumpRule("TR413", "channel-receive-leak", rules.Leak, rules.Medium, orphanRun("channel-receive-leak",
			func(o *waitgraph.Orphan) bool { return o.Mode == waitgraph.ModeReceive })),
		dumpRule("TR414", "select-leak", rules.Leak, rules.Medium, orphanRun("select-leak",
			func(o *waitgraph.Orphan) bool { return o.Select })),
		dumpRule("TR415", "lock-convoy", rules.Contention, rules.High, standstillRun(explainConvoy, waitgraph.Held)),
		dumpRule("TR416", "goroutine-pile-up", rules.Leak, rules.Medium, pileUps),
	}
}

// waitingRules are the rules about goroutines that wait in a well-known call for longer, or in greater numbers, than
// that call is made for (TR420 to TR449). Each looks at the stacks of one dump; who waits for whom is no part of it.
func waitingRules() []*rules.Rule {
	c := newCalls()
	return slices.Concat(poolRules(c), httpRules(c), grpcRules(c), dialRules(c), kubernetesRules(c), callbackRules(c),
		[]*rules.Rule{
			semaphoreHeld(c), threadPileUp(), runawayRecursion(), sleepersPileUp(c), childHangs(c), fileLockWait(c),
		})
}

// seriesRules are the rules about what changes, or doesn't, from dump to dump of one process (TR450 to TR459). Spinners
// in two dumps are TR109.
func seriesRules() []*rules.Rule {
	return []*rules.Rule{growingGoroutines(), stuckAgain()}
}

// A run looks for what a rule is about.
type run func(*rules.Pass) []rules.Finding

// dumpRule is a rule over dumps that report the states of goroutines.
func dumpRule(id, name string, category rules.Category, severity rules.Severity, run run) *rules.Rule {
	return &rules.Rule{ID: id, Name: name, Category: category, Severity: severity,
		Needs: rules.NeedsDump | rules.NeedsStates, Run: run}
}

// both looks for what two runs find.
func both(first, second run) run {
	return func(p *rules.Pass) []rules.Finding { return append(first(p), second(p)...) }
}

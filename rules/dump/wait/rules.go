package wait

import (
	_ "embed"
	"slices"

	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/waitgraph"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

//go:embed doc.md
var waitDoc string

// Rules returns the rules about goroutines that wait.
func Rules() []*rules.Rule {
	return rules.Documented(waitDoc, slices.Concat(standstillRules(), waitingRules(), certainRules(),
		[]*rules.Rule{growingGoroutines()}))
}

// Grapher returns what works out who waits for whom in a dump, with the roles that its buckets have: DumpInput.Waits,
// without which some of these rules report nothing. It is for one goroutine at a time.
func Grapher() func(d *rules.DumpInput) rules.Parsed {
	graph := parsed.Grapher()
	return func(d *rules.DumpInput) rules.Parsed { return graph(d) }
}

// standstillRules are the rules about goroutines that wait for each other (TR406-TR415). The graph gives every lock
// with waiters one blockage and every other bucket that waits at most one orphan, so that no two of these rules accuse
// for one cause.
func standstillRules() []*rules.Rule {
	cycles := standstillRun(explainCycle, waitgraph.LockCycle)
	double := standstillRun(explainDouble, waitgraph.DoubleLock)
	closed := unless(joined(cycles, undoubted(double)), viewRun(closedLocks, forLocks...))
	senders := joined(orphanRun("channel-send-leak", func(o *waitgraph.Orphan) bool {
		return o.Mode == waitgraph.ModeSend
	}), countedSenders, sendersLeft, pipesLeft)
	return []*rules.Rule{
		waitRule("TR406", "double-lock", rules.Deadlock, rules.High, unless(closed, double)),
		waitRule("TR407", "lock-cycle", rules.Deadlock, rules.High, joined(cycles, closed)),
		waitRule("TR408", "rwmutex-recursion", rules.Deadlock, rules.High, standstillRun(explainReader,
			waitgraph.ReaderRecursion)),
		waitRule("TR409", "lock-channel-cycle", rules.Deadlock, rules.High,
			standstillRun(explainHeld, waitgraph.HeldInChannel)),
		waitGroupStuck(),
		waitRule("TR411", "cond-missed-signal", rules.Deadlock, rules.High, joined(
			standstillRun(explainHeld, waitgraph.HeldInCond), viewRun(bothSides, stackparse.ClassCond),
			actorRun("cond-missed-signal", (*view).signalForNobody, stackparse.ClassCond),
			orphanRun("cond-missed-signal", func(o *waitgraph.Orphan) bool { return o.Kind == waitgraph.Cond }))),
		waitRule("TR412", "channel-send-leak", rules.Leak, rules.Medium, joined(senders,
			unless(senders, leftBehind("channel-send-leak", stackparse.ClassChanSend)))),
		waitRule("TR413", "channel-receive-leak", rules.Leak, rules.Medium, joined(orphanRun("channel-receive-leak",
			func(o *waitgraph.Orphan) bool { return o.Mode == waitgraph.ModeReceive }),
			leftBehind("channel-receive-leak", stackparse.ClassChanReceive))),
		waitRule("TR414", "select-leak", rules.Leak, rules.Medium, joined(orphanRun("select-leak",
			func(o *waitgraph.Orphan) bool { return o.Select }), leftBehind("select-leak", stackparse.ClassSelect))),
		dumpRule("TR415", "lock-convoy", rules.Contention, rules.High, joined(
			standstillRun(explainConvoy, waitgraph.Held), childConvoys)),
		waitRule("TR446", "loops-pile-up", rules.Leak, rules.Medium, loopsPileUp),
	}
}

// waitingRules are the rules about goroutines that wait in a well-known call for longer, or in greater numbers, than
// that call is made for (TR420 to TR458).
func waitingRules() []*rules.Rule {
	c := newCalls()
	return []*rules.Rule{
		waitRule("TR420", "sql-pool-exhausted", rules.Contention, rules.High, c.run("sql-pool-exhausted", sqlPool)),
		waitRule("TR421", "client-pool-exhausted", rules.Contention, rules.Medium, joined(
			c.run("client-pool-exhausted", judgeQueue),
			actorRun("client-pool-exhausted", (*view).poolLeft, slotClasses[:]...))),
		dumpRule("TR423", "http-request-without-timeout", rules.Leak, rules.Medium,
			c.run("http-request-without-timeout", httpNoTimeout)),
		httpBodyOpen(c),
		dumpRule("TR425", "grpc-call-without-deadline", rules.Leak, rules.Medium,
			c.run("grpc-call-without-deadline", grpcNoDeadline)),
		dumpRule("TR426", "grpc-stream-leak", rules.Leak, rules.Medium, c.run("grpc-stream-leak", grpcStreamLeak)),
		dumpRule("TR433", "client-throttled", rules.Contention, rules.Medium,
			c.run("client-throttled", clientThrottled)),
		waitRule("TR441", "child-process-hangs", rules.Leak, rules.Medium, c.run("child-process-hangs", childHangs)),
		waitRule("TR442", "file-lock-wait", rules.Contention, rules.High, joined(
			c.run("file-lock-wait", fileLockWait),
			actorRun("file-lock-wait", (*view).fileLockAgain, stackparse.ClassSyscall))),
		dumpRule("TR449", "request-body-awaited", rules.Leak, rules.Medium,
			c.run("request-body-awaited", bodiesAwaited)),
		waitRule("TR458", "open-hangs", rules.Leak, rules.Medium, c.run("open-hangs", opensHang)),
	}
}

// certainRules are the rules about few goroutines whose wait nobody is left to end (TR443 to TR448).
func certainRules() []*rules.Rule {
	return []*rules.Rule{
		sendWithoutReader(), loopStuck(),
		waitRule("TR445", "closed-circle", rules.Deadlock, rules.High, joined(
			viewRun((*view).closedCircles, append(handOverClasses[:], stackparse.ClassWaitGroup)...),
			viewRun((*view).stagesInSends, stackparse.ClassChanSend),
			actorRun("closed-circle", (*view).shutdownInside, stackparse.ClassSelect, stackparse.ClassCond),
			viewRun((*view).tasksAskPool, handOverClasses[:]...))),
		requestsForNobody(),
	}
}

package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/wait"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

func locateThreads(c *crash) {
	if holders := wait.ThreadHolders(c.d); len(holders) > 0 {
		c.blameBlocked(holders[0])
	}
}

// explainThreads is thread-exhaustion (TR218).
func explainThreads(g *crashGroup) account {
	limit := ""
	for _, s := range causeLines(g.cause) {
		if strings.Contains(s, "thread limit") || strings.Contains(s, "failed to create new OS thread") ||
			strings.Contains(s, "pthread_create failed") {
			limit = phrase.Cut(strings.TrimPrefix(s, "runtime: "), phrase.MaxQuoted)
			break
		}
	}
	a := account{
		act: "needs one thread more than there may be",
		why: fmt.Sprintf("The runtime could not start another thread%s.", phrase.InBrackets(limit)),
		fix: "Bound the goroutines that are in system calls, in C or locked to a thread, and look at the limits of " +
			"the pod (pids cgroup) and user (ulimit -u).",
		next: g.logNext("ls /proc/PID/task | wc -l", "cat /sys/fs/cgroup/pids.max"),
	}
	holders := wait.ThreadHolders(g.d)
	if len(holders) == 0 {
		a.confidence = rules.ConfMedium
		return a
	}
	n := len(holders[0].Goroutines)
	a.act = fmt.Sprintf("keeps %d threads busy until there are no more", n)
	what := "in system calls"
	switch {
	case holders[0].Goroutines[0].Flags&stackparse.FlagLocked != 0:
		what = "locked to their threads"
		a.fix = g.fill("Let goroutines of {who} unlock their thread (runtime.UnlockOSThread) or end, and bound how " +
			"many there are.")
	case g.b.Class == stackparse.ClassCgo:
		what = "in C"
		a.fix = g.fill("Bound the calls into C below {who} with a semaphore (golang.org/x/sync/semaphore, a " +
			"buffered channel).")
	default:
		a.fix = g.fill("Bound the blocking system calls below {who} with a semaphore, or give them a timeout: a hung " +
			"disk or network file system holds one thread a call.")
	}
	a.why = fmt.Sprintf("%s of %s%s %s, with a thread each%s.", phrase.CountGoroutines(n), g.who(), g.at(), what,
		phrase.InBrackets(limit))
	if n == 1 {
		a.confidence = rules.ConfLow
	}
	a.evidence = blockedEvidence(g.d, holders)
	return a
}

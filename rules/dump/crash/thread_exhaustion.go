package crash

import (
	"strconv"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
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
func explainThreads(g *crashGroup, f account.Facts) account.Account {
	limit := ""
	for _, s := range causeLines(g.cause) {
		if phrase.ContainsOne(s, "thread limit", "failed to create new OS thread", "pthread_create failed") {
			limit = phrase.Cut(strings.TrimPrefix(s, "runtime: "), phrase.MaxQuoted)
			break
		}
	}
	f.Values["limit"] = phrase.InBrackets(limit)
	holders := wait.ThreadHolders(g.d)
	if len(holders) == 0 {
		return unsure(g, f)
	}
	n, what := len(holders[0].Goroutines), "in system calls"
	switch {
	case holders[0].Goroutines[0].Flags&stackparse.FlagLocked != 0:
		what = "locked to their threads"
	case g.b.Class == stackparse.ClassCgo:
		what = "in C"
	}
	f.Cases = append(f.Cases, "holders", what)
	f.Values["threads"], f.Values["goroutines"], f.Values["what"] = strconv.Itoa(n), phrase.CountGoroutines(n), what
	a := g.tell(f)
	if n == 1 {
		a.Confidence = rules.ConfLow
	}
	a.Evidence = blockedEvidence(g.d, holders)
	return a
}

package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/wait"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

func locateAsleep(c *crash) {
	if r, ok := rootOf(c.d); ok {
		c.blameBlocked(r.Blocked)
	} else if all := asleep(c.d); len(all) > 0 {
		c.blameBlocked(all[0])
	}
}

func asleep(d *rules.DumpInput) []wait.Blocked {
	return wait.BlockedIn(d, func(b *stackparse.Bucket, _ *stackparse.Goroutine) bool {
		return b.Class != stackparse.ClassIdle && b.Class != stackparse.ClassGC
	})
}

// explainAsleep is all-goroutines-asleep (TR214).
func explainAsleep(g *crashGroup) account {
	a := account{
		act:  "leaves no goroutine that could go on",
		why:  "The runtime found no goroutine that could ever run again.",
		next: g.logNext("go vet ./...", "go test -race ./..."),
	}
	all := asleep(g.d)
	if r, ok := rootOf(g.d); ok {
		r.fill(&a, g.d, all)
		a.act += ": deadlock"
		a.why = r.Why + " All else waits too: the runtime found no goroutine that could ever run again."
	} else if len(all) > 0 {
		act, fix := waitAct(g.b.Class)
		a.act, a.fix = act+": deadlock", fix
		a.why = fmt.Sprintf("%s%s %s, and all else waits too: the runtime found no goroutine that could ever "+
			"run again.", g.who(), g.at(), act)
		a.evidence = blockedEvidence(g.d, all[1:])
		if len(all) > 1 {
			a.why += fmt.Sprintf(" %s stand still in %d places of the program.", phrase.CountGoroutines(countBlocked(all)),
				len(all))
			a.confidence = rules.ConfMedium
			if all[0].Rank < all[1].Rank {
				a.confidence = rules.ConfHigh
			}
		}
	}
	if strings.Contains(g.text, "Goexit") || len(g.d.Buckets) > 0 && !g.hasMain() {
		a.why += " Main ended by runtime.Goexit (t.FailNow outside a test, say), which does not end the process."
	}
	return a
}

func countBlocked(all []wait.Blocked) int {
	n := 0
	for _, b := range all {
		n += len(b.Goroutines)
	}
	return n
}

// hasMain reports whether goroutine 1 is in the dump.
func (c *crash) hasMain() bool {
	for _, b := range c.d.Buckets {
		for i := range b.Goroutines {
			if b.Goroutines[i].ID == 1 {
				return true
			}
		}
	}
	return false
}

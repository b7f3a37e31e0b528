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
func explainAsleep(g *crashGroup, f account.Facts) account.Account {
	all := asleep(g.d)
	r, rooted := rootOf(g.d)
	if rooted {
		f.Cases = append(f.Cases, "root")
		r.values(&f)
	} else if len(all) > 0 {
		f.Cases = append(f.Cases, "asleep")
		g.waits(&f)
		f.Values["goroutines"], f.Values["places"] = phrase.CountGoroutines(countBlocked(all)), strconv.Itoa(len(all))
		if len(all) > 1 {
			f.Cases = append(f.Cases, "several")
		}
	}
	if strings.Contains(g.text, "Goexit") || len(g.d.Buckets) > 0 && !g.hasMain() {
		f.Cases = append(f.Cases, "no main")
	}
	a := g.tell(f)
	switch {
	case rooted:
		r.fill(&a, g.d, all)
	case len(all) > 1:
		a.Evidence = blockedEvidence(g.d, all[1:])
		a.Confidence = rules.ConfMedium
		if all[0].Rank < all[1].Rank {
			a.Confidence = rules.ConfHigh
		}
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

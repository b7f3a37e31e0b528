package crash

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/dump/wait"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// blameRoot blames what all others wait for, failing that the likeliest of the goroutines that list finds.
func blameRoot(list func(*rules.DumpInput) []blocked) func(*crash) {
	return func(c *crash) {
		if r, ok := rootOf(c.d); ok {
			c.blameBlocked([]blocked{r.blocked})
		} else {
			c.blameBlocked(list(c.d))
		}
	}
}

func asleep(d *rules.DumpInput) []blocked {
	return blockedIn(d, func(b *stackparse.Bucket, _ *stackparse.Goroutine) bool {
		return b.Class != stackparse.ClassIdle && b.Class != stackparse.ClassGC && !rules.AwaitsTest(b)
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
		f.Values["goroutines"], f.Values["places"] = phrase.CountGoroutines(countAll(all)), strconv.Itoa(len(all))
		if len(all) > 1 {
			f.Cases = append(f.Cases, "several")
		}
	}
	if strings.Contains(g.text, "Goexit") {
		f.Cases = append(f.Cases, "no main")
	} else if len(g.d.Buckets) > 0 && !g.hasMain() {
		f.Cases = append(f.Cases, "main not shown")
	}
	a := g.account(f)
	switch {
	case rooted:
		r.fill(&a, g.d, all)
	case len(all) > 1:
		a.Evidence = blockedEvidence(g.d, all[1:])
	}
	return a
}

// explainReported is reported-deadlock (TR226): a library saw it in the running program, and may have ended that.
func explainReported(g *crashGroup, f account.Facts) account.Account {
	a := g.account(f)
	a.Severity, a.Evidence = rules.High, nil
	for _, b := range g.d.Buckets {
		if b != g.b {
			a.Evidence = append(a.Evidence, rules.EvidenceOf(g.d, b, "waits for it, or takes the locks in another "+
				"order: "+
				rules.PlaceText(rules.BlameBucket(g.d, b).Culprit)))
		}
	}
	a.Evidence = a.Evidence[:min(len(a.Evidence), maxCrashEvidence)]
	return a
}

// hasMain reports whether the main goroutine is in the dump: 1, but 16 in Go 1.3.
func (c *crash) hasMain() bool {
	return slices.ContainsFunc(c.d.Buckets, func(b *stackparse.Bucket) bool {
		return slices.ContainsFunc(b.Goroutines, func(g stackparse.Goroutine) bool { return g.ID == 1 }) ||
			slices.ContainsFunc(b.Frames, func(f stackparse.Frame) bool {
				return f.Func == "main.main" || f.Func == "runtime.main"
			})
	})
}

func locateBubble(c *crash) {
	if c.bubbleDeadlock() {
		c.blameBlocked(bubble(c.d))
	}
}

// bubbleDeadlock distinguishes a deadlock in a bubble from a misuse of it, whose culprit is the goroutine that
// panicked.
func (c *crash) bubbleDeadlock() bool { return strings.Contains(c.text, "deadlock: ") }

// bubble are the goroutines of synctest bubbles that are in the program's code.
func bubble(d *rules.DumpInput) []blocked {
	return blockedIn(d, func(_ *stackparse.Bucket, g *stackparse.Goroutine) bool {
		return g.Bubble != 0 || g.Flags&stackparse.FlagDurable != 0
	})
}

// explainBubble is synctest-deadlock (TR215).
func explainBubble(g *crashGroup, f account.Facts) account.Account {
	all := bubble(g.d)
	if !g.bubbleDeadlock() || len(all) == 0 {
		return g.account(f)
	}
	f.Cases = append(f.Cases, "bubble")
	g.waits(&f)
	a := g.account(f)
	a.Evidence = blockedEvidence(g.d, all[1:])
	return a
}

// A root is the blockage that a deadlock or a test that did not end comes down to.
type root struct {
	wait.LockFinding
	blocked
}

// rootOf finds what all others wait for; ok is false where the locks, if any, show nothing.
func rootOf(d *rules.DumpInput) (r root, ok bool) {
	for lock := range wait.Roots(d) {
		all := blockedIn(d, func(b *stackparse.Bucket, _ *stackparse.Goroutine) bool {
			return b == d.Buckets[lock.Culprit]
		})
		if len(all) > 0 {
			all[0].culprit = cmp.Or(lock.Frame, all[0].culprit)
			return root{lock, all[0]}, true
		}
	}
	return root{}, false
}

// values are what texts say of the blockage: who does {act}, why ({root}) and what to {fix}.
func (r *root) values(f *account.Facts) {
	f.Values["act"], f.Values["root"], f.Values["fix"] = r.Act, r.Why, r.Fix
}

// fill puts what the blockage shows into an account; all are the other goroutines that wait.
func (r *root) fill(a *account.Account, d *rules.DumpInput, all []blocked) {
	shown := map[uint64]bool{}
	for _, e := range r.Evidence {
		for _, id := range e.Goroutines {
			shown[id] = true
		}
	}
	rest := slices.DeleteFunc(slices.Clone(all), func(b blocked) bool {
		return b.Bucket == r.Bucket || !slices.ContainsFunc(b.Goroutines,
			func(g stackparse.Goroutine) bool { return !shown[g.ID] })
	})
	a.Evidence = slices.Concat(r.Evidence[1:], blockedEvidence(d, rest))
	a.Evidence = a.Evidence[:min(len(a.Evidence), maxCrashEvidence)]
}

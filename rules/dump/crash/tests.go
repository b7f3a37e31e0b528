package crash

import (
	"cmp"
	"maps"
	"slices"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// ofTests are the goroutines that wait in the program's code, the likeliest reason for a test's timeout first. The
// first n are tests and what they have started. A lock or a send comes first in either. Else a test comes before what
// it has started, whose workers may be idle, unless it waits for just these: in a WaitGroup, or in a library's call
// that another goroutine serves.
func ofTests(d *rules.DumpInput) (all []blocked, n int) {
	started := rules.StartedByTests(d.Dump)
	all = blockedIn(d, func(b *stackparse.Bucket, g *stackparse.Goroutine) bool {
		return b.Class != stackparse.ClassIdle && b.Class != stackparse.ClassGC && !rules.AwaitsTest(b)
	})
	order := func(b blocked) int {
		switch child := started[b.Goroutines[0].ID]; {
		case !child && !rules.InTest(b.Bucket):
			return 100
		case child && (b.Rank == inSelect || b.Rank == inReceive):
			return 2*inReceive + 1
		case child:
			return 2*b.Rank + 1
		case waitsInLibrary(d, b.Bucket):
			return 2 * inWaitGroup
		}
		return 2 * b.Rank
	}
	slices.SortStableFunc(all, func(a, b blocked) int { return cmp.Compare(order(a), order(b)) })
	for n < len(all) && order(all[n]) < 100 {
		n++
	}
	return all, n
}

const inSelect, inReceive, inWaitGroup = 4, 5, 6 // blocked.Rank

// waitsInLibrary reports whether the goroutine waits below a call of a library: a request, a bubble of synctest.
func waitsInLibrary(d *rules.DumpInput, b *stackparse.Bucket) bool {
	for _, i := range rules.ShownFrames(b) {
		switch f := b.Frames[i].Frame; symbol.ParseName(f.Func).Package {
		case "runtime", "sync", "internal/sync", "time":
		default:
			return !rules.Blameable(d.Program.Class(f))
		}
	}
	return false
}

// locateTest finds what a test waits for. The goroutine that panicked is the timeout's own: it is to blame for nothing.
func locateTest(c *crash) {
	blameRoot(func(d *rules.DumpInput) []blocked {
		all, n := ofTests(d)
		return all[:n]
	})(c)
	if c.b != nil && !slices.ContainsFunc(c.b.Frames, func(f stackparse.Frame) bool {
		return rules.Blameable(c.d.Program.Class(f.Frame))
	}) {
		c.b, c.g, c.twins, c.blame = nil, nil, nil, rules.Blame{}
	}
}

// explainTest is test-timeout (TR216).
func explainTest(g *crashGroup, f account.Facts) account.Account {
	limit, names := rules.RunningTests(g.cause)
	maps.Copy(f.Values, account.Values{"limit": "", "after": "", "in": "", "minutes": ""})
	if limit != "" {
		f.Values["limit"], f.Values["after"] = " of "+limit, " after "+limit
	}
	if len(names) > 0 {
		f.Values["in"] = " in " + phrase.Cut(names[len(names)-1], phrase.MaxQuoted)
	}
	all, n := ofTests(g.d)
	r, rooted := rootOf(g.d)
	if rooted {
		f.Cases = append(f.Cases, "root")
		r.values(&f)
	} else if n > 0 {
		f.Cases = append(f.Cases, "test")
		g.waits(&f)
		if g.g != nil && g.g.Minutes > 0 {
			f.Values["minutes"] = ", for at least " + phrase.CountMinutes(g.g.Minutes)
		}
	}
	a := g.account(f)
	a.Severity, a.Confidence = rules.High, rules.ConfMedium
	switch {
	case rooted:
		r.fill(&a, g.d, all)
	case n > 0:
		a.Evidence = blockedEvidence(g.d, all[1:])
	}
	return a
}

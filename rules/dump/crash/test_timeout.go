package crash

import (
	"maps"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/dump/wait"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

func locateTest(c *crash) {
	if r, ok := rootOf(c.d); ok {
		c.blameBlocked(r.Blocked)
	} else if all := tests(c.d); len(all) > 0 {
		c.blameBlocked(all[0])
	}
}

// tests are the goroutines of tests that are in the program's code and don't wait for a subtest.
func tests(d *rules.DumpInput) []wait.Blocked {
	return wait.BlockedIn(d, func(b *stackparse.Bucket, _ *stackparse.Goroutine) bool {
		isTest := false
		for _, f := range b.Frames {
			switch f.Func {
			case "testing.(*T).Run", "testing.(*T).Parallel", "testing.(*B).Run", "testing.runTests",
				"testing.(*M).Run":
				return false
			case "testing.tRunner", "testing.(*B).runN", "testing.runExample", "testing.(*F).Fuzz.func1":
				isTest = true
			}
		}
		return isTest
	})
}

// explainTest is test-timeout (TR216).
func explainTest(g *crashGroup, f account.Facts) account.Account {
	limit, names := timedOut(g.cause)
	maps.Copy(f.Values, account.Values{"limit": "", "after": "", "in": "", "run": "", "minutes": ""})
	if limit != "" {
		f.Values["limit"], f.Values["after"] = " of "+limit, " after "+limit
	}
	if len(names) > 0 {
		last := names[len(names)-1]
		f.Values["in"] = " in " + phrase.Cut(last, phrase.MaxQuoted)
		f.Values["run"] = " -run " + rules.Quote("^"+strings.ReplaceAll(last, "/", "$/^")+"$")
	}
	all := tests(g.d)
	r, rooted := rootOf(g.d)
	if rooted {
		f.Cases = append(f.Cases, "root")
		r.values(&f)
	} else if len(all) > 0 {
		f.Cases = append(f.Cases, "test")
		g.waits(&f)
		if g.g != nil && g.g.Minutes > 0 {
			f.Values["minutes"] = ", for at least " + phrase.CountMinutes(g.g.Minutes)
		}
	}
	a := g.tell(f)
	a.Severity, a.Confidence = rules.High, rules.ConfLow
	switch {
	case rooted:
		r.fill(&a, g.d, append(all, beside(g.d)...))
	case len(all) > 0:
		if g.b.Class != stackparse.ClassRunning && g.b.Class != stackparse.ClassRunnable {
			a.Confidence = rules.ConfMedium
		}
		a.Evidence = blockedEvidence(g.d, append(all[1:], beside(g.d)...))
	}
	return a
}

// beside are the blocked goroutines that are no tests: what a test waits for is often among them.
func beside(d *rules.DumpInput) []wait.Blocked {
	return wait.BlockedIn(d, func(b *stackparse.Bucket, _ *stackparse.Goroutine) bool {
		for _, f := range b.Frames {
			if strings.HasPrefix(f.Func, "testing.") {
				return false
			}
		}
		return b.Class != stackparse.ClassIdle && b.Class != stackparse.ClassGC
	})
}

// timedOut reads "10m0s" and the tests under way from "test timed out after 10m0s\n\trunning tests:\n\t\tTestX
// (9m59s)".
func timedOut(c *stackparse.Cause) (limit string, names []string) {
	text := strings.NewReplacer(`\n`, "\n", `\t`, "\t").Replace(originalPanic(c))
	_, rest, ok := strings.Cut(text, "timed out after ")
	if !ok {
		return "", nil
	}
	lines := strings.Split(rest, "\n")
	limit = phrase.Cut(lines[0], 20)
	running := false
	for _, l := range lines[1:] {
		l = strings.TrimSpace(l)
		switch {
		case strings.HasPrefix(l, "running tests:"):
			running = true
		case running && l != "":
			name, _, _ := strings.Cut(l, " (")
			names = append(names, name)
		}
	}
	return limit, names
}

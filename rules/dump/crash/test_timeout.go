package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
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
func explainTest(g *crashGroup) account {
	limit, names := timedOut(g.cause)
	run := ""
	if len(names) > 0 {
		run = " -run " + rules.Quote("^"+strings.ReplaceAll(names[len(names)-1], "/", "$/^")+"$")
	}
	a := account{
		act:        "does not end before the test's timeout" + of(limit),
		why:        fmt.Sprintf("The test binary ran into its timeout%s%s.", of(limit), inTests(names)),
		fix:        "See where the test's goroutines stand, and which of them another one waits for.",
		next:       g.logNext("go test -race -timeout 30s" + run + " ./..."),
		severity:   rules.High,
		confidence: rules.ConfLow,
	}
	all := tests(g.d)
	if r, ok := rootOf(g.d); ok {
		r.fill(&a, g.d, append(all, beside(g.d)...))
		a.act += ", the test timed out"
		a.why = fmt.Sprintf("When the timeout%s struck%s: %s", of(limit), inTests(names), r.Why)
		return a
	}
	if len(all) == 0 {
		return a
	}
	act, fix := waitAct(g.b.Class)
	a.act = act + ", the test timed out"
	if limit != "" {
		a.act += " after " + limit
	}
	a.fix = fix
	a.why = fmt.Sprintf("When the timeout%s struck%s, %s%s %s.", of(limit), inTests(names), g.who(), g.at(),
		withMinutes(act, g))
	if g.b.Class != stackparse.ClassRunning && g.b.Class != stackparse.ClassRunnable {
		a.confidence = rules.ConfMedium
	}
	a.evidence = blockedEvidence(g.d, append(all[1:], beside(g.d)...))
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

func withMinutes(act string, g *crashGroup) string {
	if g.g != nil && g.g.Minutes > 0 {
		return act + ", for at least " + phrase.CountMinutes(g.g.Minutes)
	}
	return act
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

func of(limit string) string {
	if limit == "" {
		return ""
	}
	return " of " + limit
}

func inTests(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return " in " + phrase.Cut(names[len(names)-1], phrase.MaxQuoted)
}

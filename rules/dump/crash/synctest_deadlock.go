package crash

import (
	"fmt"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/wait"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

func locateBubble(c *crash) {
	if c.bubbleDeadlock() {
		if all := bubble(c.d); len(all) > 0 {
			c.blameBlocked(all[0])
		}
	}
}

// bubbleDeadlock distinguishes a deadlock in a bubble from a misuse of it, whose culprit is the goroutine that
// panicked.
func (c *crash) bubbleDeadlock() bool { return strings.Contains(c.text, "deadlock: ") }

// bubble are the goroutines of synctest bubbles that are in the program's code.
func bubble(d *rules.DumpInput) []wait.Blocked {
	return wait.BlockedIn(d, func(_ *stackparse.Bucket, g *stackparse.Goroutine) bool {
		return g.Bubble != 0 || g.Flags&stackparse.FlagDurable != 0
	})
}

// explainBubble is synctest-deadlock (TR215).
func explainBubble(g *crashGroup) account {
	next := g.logNext("go test -run " + rules.Quote(testName(g.crash)) + " ./...")
	if !g.bubbleDeadlock() {
		return account{
			act:  "uses a synctest bubble from outside: " + g.text,
			why:  g.fill("{who}{at}: {text}."),
			fix:  "Make channels, timers and WaitGroups of a bubble inside it, and use them only there.",
			next: next,
		}
	}
	all := bubble(g.d)
	if len(all) == 0 {
		return account{
			act:  "stands in a bubble where nothing can go on",
			why:  g.fill("{text}."),
			fix:  "Let every goroutine of the bubble end before the test function does.",
			next: next,
		}
	}
	act, fix := waitAct(g.b.Class)
	a := account{
		act: act + ", the bubble can't go on",
		why: fmt.Sprintf("%s%s %s, and every other goroutine of its synctest bubble is blocked too: %s.", g.who(),
			g.at(), act, phrase.Cut(g.text, phrase.MaxQuoted)),
		fix:      fix + " Let every goroutine of the bubble end before the test function does.",
		next:     next,
		evidence: blockedEvidence(g.d, all[1:]),
	}
	if len(all) > 1 && all[0].Rank == all[1].Rank {
		a.confidence = rules.ConfMedium
	}
	return a
}

// testName is the declared test function on the crash's path, "." (any) where there is none.
func testName(c *crash) string {
	for _, p := range c.blame.Path {
		name := rules.PlainName(p.Function)
		name = name[strings.LastIndexByte(name, '/')+1:]
		for _, part := range strings.Split(name, ".")[1:] {
			if strings.HasPrefix(part, "Test") && len(part) > len("Test") {
				return "^" + part + "$"
			}
		}
	}
	return "."
}

package crash

import (
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/dump/wait"
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
func explainBubble(g *crashGroup, f account.Facts) account.Account {
	f.Values["test"] = rules.Quote(testName(g.crash))
	all := bubble(g.d)
	if !g.bubbleDeadlock() || len(all) == 0 {
		return g.tell(f)
	}
	f.Cases = append(f.Cases, "bubble")
	g.waits(&f)
	a := g.tell(f)
	a.Evidence = blockedEvidence(g.d, all[1:])
	if len(all) > 1 && all[0].Rank == all[1].Rank {
		a.Confidence = rules.ConfMedium
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

package crash

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/dump/wait"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// locateCycle blames a function of the cycle that filled the stack.
func locateCycle(c *crash) {
	if c.b == nil {
		return
	}
	cyc, ok := wait.FindCycle(c.b.Frames)
	if !ok {
		return
	}
	if bl, ok := wait.BlameCycle(c.d, c.b, cyc); ok {
		c.from, c.blame = cyc.Start, bl
	}
}

// explainOverflow is stack-overflow (TR219).
func explainOverflow(g *crashGroup, f account.Facts) account.Account {
	f.Values["limit"] = phrase.InBrackets(stackLimit(g.cause))
	confidence, how := rules.ConfMedium, ""
	if g.b != nil {
		if cyc, ok := wait.FindCycle(g.b.Frames); ok {
			confidence, how = rules.ConfHigh, wait.SelfCall(g.b.Frames[cyc.Start:cyc.Start+cyc.Period])
			names := wait.CallOrder(g.b.Frames, g.blame.Index, cyc)
			f.Cases = append(f.Cases, "cycle")
			f.Values["act"], f.Values["rounds"] = cycleAct(g.who(), names, g.where()), wait.Rounds(cyc.Period)
			f.Values["calls"] = strings.Join(wait.FirstNames(names), " -> ")
			if n := wait.Elided(g.b.Frames); n > 0 {
				f.Cases = append(f.Cases, "elided")
				f.Values["elided"] = strconv.Itoa(n)
			}
		}
	}
	a := g.tell(f)
	a.Confidence, a.Fix = confidence, cmp.Or(how, a.Fix)
	return a
}

// cycleAct writes the cycle into the title where it fits: "A" acts "-> B -> A overflows the stack", or with "…" for
// the second A.
func cycleAct(who string, names []string, where string) string {
	if len(names) == 2 {
		return "calls itself until the stack overflows"
	}
	pkg, _, ok := strings.Cut(who, ".")
	short := make([]string, len(names))
	for i, n := range names {
		short[i] = n
		if ok {
			short[i] = strings.TrimPrefix(n, pkg+".")
		}
	}
	short[len(short)-1] = short[0]
	for _, act := range []string{
		"-> " + strings.Join(short[1:], " -> ") + " overflows the stack",
		"-> " + strings.Join(short[1:len(short)-1], " -> ") + " -> … overflows the stack",
	} {
		if utf8.RuneCountInString(short[0]+" "+act+" ("+where+")") <= phrase.MaxTitle {
			return act
		}
	}
	return fmt.Sprintf("overflows the stack in a cycle of %d calls: -> %s", len(names)-1,
		strings.Join(short[1:], " -> "))
}

// stackLimit is "1000000000-byte limit" of the runtime's note.
func stackLimit(c *stackparse.Cause) string {
	for _, s := range causeLines(c) {
		if _, rest, ok := strings.Cut(s, "goroutine stack exceeds "); ok {
			return phrase.Cut(rest, 40)
		}
	}
	return ""
}

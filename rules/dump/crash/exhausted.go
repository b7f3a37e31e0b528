package crash

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// locateMemory blames the biggest group where the goroutine that asked is the runtime's own.
func locateMemory(c *crash) {
	if f := c.culpritFrame(); f != nil && rules.Blameable(c.d.Program.Class(f.Frame)) {
		return
	}
	c.blameBlocked(biggest(c.d))
}

// biggest are the groups of goroutines in the program's code, biggest first, without those that a role calls idle.
func biggest(d *rules.DumpInput) []blocked {
	idle := map[*stackparse.Bucket]bool{}
	for i, r := range d.Roles {
		if r != nil && r.Idle && i < len(d.Buckets) {
			idle[d.Buckets[i]] = true
		}
	}
	all := blockedIn(d, func(b *stackparse.Bucket, _ *stackparse.Goroutine) bool { return !idle[b] })
	slices.SortStableFunc(all, func(a, b blocked) int { return len(b.Goroutines) - len(a.Goroutines) })
	return all
}

// explainMemory is out-of-memory (TR217).
func explainMemory(g *crashGroup, f account.Facts) account.Account {
	asked, inUse := memoryAsked(g)
	f.Values["asked"], f.Values["inUse"] = phrase.ByteSize(asked), ""
	if asked > 0 {
		f.Cases = append(f.Cases, "asked")
	}
	if inUse > 0 {
		f.Values["inUse"] = fmt.Sprintf(" while %s were in use", phrase.ByteSize(inUse))
	}
	big := slices.DeleteFunc(biggest(g.d), func(b blocked) bool { return len(b.Goroutines) < 2 })
	big = big[:min(len(big), 3)]
	var list []string
	for i := range big {
		list = append(list, fmt.Sprintf("%d in %s", len(big[i].Goroutines), rules.PlaceName(big[i].Place())))
	}
	if f.Values["big"] = strings.Join(list, ", "); len(big) > 0 {
		f.Cases = append(f.Cases, "big")
	}
	a := findings().Account(g.rule, f)
	a.Confidence = rules.ConfMedium
	if inUse > 0 && asked >= inUse {
		a.Confidence = rules.ConfHigh
	}
	a.Evidence = blockedEvidence(g.d, big)
	t := g.d.Target
	a.Next = []rules.Step{t.Heap(), rules.Command("ulimit -v; cat /proc/sys/vm/overcommit_memory")}
	if t.Known() {
		a.Next = g.logSteps(t.Top(), t.Heap())
	}
	return a
}

// memoryAsked reads "runtime: out of memory: cannot allocate 67108864-byte block (272367616 in use)"; failing that,
// asked is the first argument of runtime.mallocgc, the size (Go 1.5 to 1.27). Bytes, 0 where unknown.
func memoryAsked(g *crashGroup) (asked, inUse uint64) {
	for s := range causeLines(g.cause) {
		_, rest, ok := strings.Cut(s, "cannot allocate ")
		if !ok {
			continue
		}
		size, rest, ok := strings.Cut(rest, "-byte block (")
		if !ok {
			continue
		}
		asked, _ = parseUint(size)
		used, _, _ := strings.Cut(rest, " ")
		inUse, _ = parseUint(used)
		return asked, inUse
	}
	if g.b == nil {
		return 0, 0
	}
	for i, args := range g.b.Args() {
		if g.b.Frames[i].Func == "runtime.mallocgc" && len(args.Words) > 0 && args.Words[0].Known &&
			!args.Words[0].Uncertain {
			return args.Words[0].Value, 0
		}
	}
	return 0, 0
}

func locateThreads(c *crash) { c.blameBlocked(threadHolders(c.d)) }

// explainThreads is thread-exhaustion (TR218).
func explainThreads(g *crashGroup, f account.Facts) account.Account {
	limit := ""
	for s := range causeLines(g.cause) {
		if phrase.ContainsOne(s, "thread limit", "failed to create new OS thread", "pthread_create failed") {
			limit = phrase.Cut(strings.TrimPrefix(s, "runtime: "), phrase.MaxQuoted)
			break
		}
	}
	f.Values["limit"], f.Values["input"] = phrase.InBrackets(limit), rules.Quote(cmp.Or(g.d.Input, "-"))
	holders := threadHolders(g.d)
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
	f.Values["state"] = rules.Quote(string(holders[0].Bucket.Class))
	a := g.account(f)
	if n == 1 {
		a.Confidence = rules.ConfMedium
	}
	a.Evidence = blockedEvidence(g.d, holders)
	return a
}

// locateCycle blames a function of the cycle that filled the stack.
func locateCycle(c *crash) {
	if c.b == nil {
		return
	}
	cyc, ok := findCycle(c.b.Frames)
	if !ok {
		return
	}
	if bl, ok := blameCycle(c.d, c.b, cyc); ok {
		c.from, c.blame = cyc.start, bl
	}
}

// explainOverflow is stack-overflow (TR219).
func explainOverflow(g *crashGroup, f account.Facts) account.Account {
	f.Values["limit"] = phrase.InBrackets(stackLimit(g.cause))
	confidence, how := rules.ConfMedium, ""
	if g.b != nil {
		if cyc, ok := findCycle(g.b.Frames); ok {
			confidence, how = rules.ConfHigh, selfCall(g.b.Frames[cyc.start:cyc.start+cyc.period])
			names := callOrder(g.b.Frames, g.blame.Index, cyc)
			f.Cases = append(f.Cases, "cycle")
			f.Values["act"], f.Values["rounds"] = cycleAct(g.who(), names, g.where()), rounds(cyc.period)
			f.Values["calls"] = strings.Join(firstNames(names), " -> ")
			if n := elided(g.b.Frames); n > 0 {
				f.Cases = append(f.Cases, "elided")
				f.Values["elided"] = strconv.Itoa(n)
			}
		}
	}
	if g.nobody() {
		f.Cases = append(f.Cases, "nobody")
	}
	a := g.account(f)
	a.Confidence, a.Fix = confidence, cmp.Or(how, a.Fix)
	return a
}

// cycleAct writes the cycle into the title where it fits: "A" acts "-> B -> A overflowed the stack", or with "…" for
// the second A.
func cycleAct(who string, names []string, where string) string {
	if len(names) == 2 {
		return "called itself until the stack overflowed"
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
		"-> " + strings.Join(short[1:], " -> ") + " overflowed the stack",
		"-> " + strings.Join(short[1:len(short)-1], " -> ") + " -> … overflowed the stack",
	} {
		if utf8.RuneCountInString(short[0]+" "+act+" ("+where+")") <= phrase.MaxTitle {
			return act
		}
	}
	return fmt.Sprintf("overflowed the stack in a cycle of %d calls: -> %s", len(names)-1,
		strings.Join(short[1:], " -> "))
}

// stackLimit is "1000000000-byte limit" of the runtime's note.
func stackLimit(c *stackparse.Cause) string {
	for s := range causeLines(c) {
		if _, rest, ok := strings.Cut(s, "goroutine stack exceeds "); ok {
			return phrase.Cut(rest, 40)
		}
	}
	return ""
}

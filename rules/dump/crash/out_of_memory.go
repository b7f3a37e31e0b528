package crash

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/rules/dump/wait"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// locateMemory blames the biggest group where the goroutine that asked is the runtime's own.
func locateMemory(c *crash) {
	if f := c.culpritFrame(); f != nil && rules.Blameable(c.d.Program.Class(f.Frame)) {
		return
	}
	if big := biggest(c.d); len(big) > 0 {
		c.blameBlocked(big[0])
	}
}

// biggest are the groups of goroutines in the program's code, biggest first, without those that a role calls idle.
func biggest(d *rules.DumpInput) []wait.Blocked {
	idle := map[*stackparse.Bucket]bool{}
	for i, r := range d.Roles {
		if r != nil && r.Idle && i < len(d.Buckets) {
			idle[d.Buckets[i]] = true
		}
	}
	all := wait.BlockedIn(d, func(b *stackparse.Bucket, _ *stackparse.Goroutine) bool { return !idle[b] })
	slices.SortStableFunc(all, func(a, b wait.Blocked) int { return len(b.Goroutines) - len(a.Goroutines) })
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
	big := slices.DeleteFunc(biggest(g.d), func(b wait.Blocked) bool { return len(b.Goroutines) < 2 })
	big = big[:min(len(big), 3)]
	var list []string
	for i := range big {
		list = append(list, fmt.Sprintf("%d in %s", len(big[i].Goroutines), rules.PlaceName(big[i].Place())))
	}
	if f.Values["big"] = strings.Join(list, ", "); len(big) > 0 {
		f.Cases = append(f.Cases, "big")
	}
	a := findings().Tell(g.rule, f)
	a.Confidence = rules.ConfMedium
	if inUse > 0 && asked >= inUse {
		a.Confidence = rules.ConfHigh
	}
	a.Evidence = blockedEvidence(g.d, big)
	const profile = "go tool pprof -top http://localhost:6060/debug/pprof/heap"
	a.Next = rules.Commands(profile, "ulimit -v; cat /proc/sys/vm/overcommit_memory")
	if t := g.d.Target; t.Known() {
		a.Next = g.logSteps(t.Top(), t.PortForward(), rules.Command(profile))
	}
	return a
}

// memoryAsked reads "runtime: out of memory: cannot allocate 67108864-byte block (272367616 in use)"; failing that,
// asked is the first argument of runtime.mallocgc, the size (Go 1.5 to 1.27). Bytes, 0 where unknown.
func memoryAsked(g *crashGroup) (asked, inUse uint64) {
	for _, s := range causeLines(g.cause) {
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

package crash

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
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
func explainMemory(g *crashGroup) account {
	asked, inUse := memoryAsked(g)
	a := account{
		act: "runs out of memory",
		why: g.fill("The runtime got no more memory from the system when {who}{at} asked for it."),
		fix: g.fill("Bound what {who} allocates (sizes read from input, whole files and answers in memory, " +
			"caches without a limit); set GOMEMLIMIT a little below the container's limit so that the collector " +
			"works against it."),
		confidence: rules.ConfMedium,
	}
	if asked > 0 {
		a.act = "runs out of memory asking for " + phrase.ByteSize(asked)
		a.why = fmt.Sprintf("%s%s asked for %s", g.who(), g.at(), phrase.ByteSize(asked))
		if inUse > 0 {
			a.why += fmt.Sprintf(" while %s were in use", phrase.ByteSize(inUse))
			if asked >= inUse {
				a.confidence = rules.ConfHigh
			}
		}
		a.why += ", and the system gave the runtime no more."
	}
	big := slices.DeleteFunc(biggest(g.d), func(b wait.Blocked) bool { return len(b.Goroutines) < 2 })
	big = big[:min(len(big), 3)]
	if len(big) > 0 {
		var list []string
		for i := range big {
			list = append(list, fmt.Sprintf("%d in %s", len(big[i].Goroutines), rules.PlaceName(big[i].Place())))
		}
		a.why += " The biggest groups of goroutines, each of which keeps a stack and what it refers to: " +
			strings.Join(list, ", ") + "."
		a.evidence = blockedEvidence(g.d, big)
	}
	t := g.d.Target
	if t.Known() {
		a.next = g.logSteps(t.Top(), t.PortForward(),
			rules.Command("go tool pprof -top http://localhost:6060/debug/pprof/heap"))
	} else {
		a.next = rules.Commands("go tool pprof -top http://localhost:6060/debug/pprof/heap",
			"ulimit -v; cat /proc/sys/vm/overcommit_memory")
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

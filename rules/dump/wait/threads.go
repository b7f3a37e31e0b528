package wait

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/account"
	"github.com/gotriage/triage/stackparse"
)

// Thresholds of threadPileUp. The runtime ends the process at 10,000 threads (debug.SetMaxThreads), containers often
// earlier: CRI-O's pids_limit was 1,024 by default, OpenShift's podPidsLimit is 4,096, and threads count. 500 is what
// the standard library allows itself for look-ups in C (net.concurrentThreadsLimit), and a thread's stack takes 8 MiB
// of address space.
const (
	manyThreads    = 500
	tooManyThreads = 1000
)

// threadPileUp is threads-pile-up (TR438).
func threadPileUp() *rules.Rule {
	return dumpRule("TR438", "threads-pile-up", rules.Leak, rules.Medium, func(p *rules.Pass) []rules.Finding {
		var found []rules.Finding
		for _, d := range p.AskedDumps() {
			if d.Goroutines >= manyThreads {
				found = append(found, threadFindings(p, d)...)
			}
		}
		return found
	})
}

func threadFindings(p *rules.Pass, d *rules.DumpInput) []rules.Finding {
	byKey := map[string]*waiters{}
	var all []*waiters
	locked := map[*waiters]bool{}
	for _, h := range ThreadHolders(d) {
		bl := rules.BlameBucket(d, h.Bucket)
		key := rules.Fingerprint("TR438", bl.Culprit, bl.Creator)
		w := byKey[key]
		if w == nil {
			w = &waiters{dumpIndex: &dumpIndex{p: p, d: d}, blame: bl}
			byKey[key] = w
			all = append(all, w)
		}
		w.add(h.Bucket, len(h.Goroutines))
		locked[w] = locked[w] || h.Goroutines[0].Flags&stackparse.FlagLocked != 0
	}
	var found []rules.Finding
	for _, w := range all {
		if w.count < manyThreads {
			continue
		}
		v := guilty()
		if w.count < tooManyThreads {
			v = v.of(rules.Low) // half of what the least of the limits allows
		}
		v.values = account.Values{"threads": strconv.Itoa(w.count), "use": threadUse(w, locked[w]),
			"input": rules.Quote(cmp.Or(d.Input, "-")), "state": rules.Quote(string(w.buckets[0].Class))}
		if rules.Deadly(d.Dump) { // no process is left whose threads could be counted
			v.cases = []string{"ended"}
		}
		found = append(found, w.findings("threads-pile-up", v)...)
	}
	return found
}

func threadUse(w *waiters, locked bool) string {
	switch {
	case locked:
		return "locked to their threads"
	case w.buckets[0].Class == stackparse.ClassCgo:
		return "in C"
	}
	return "in system calls"
}

// Blocked are goroutines of a bucket that wait.
type Blocked struct {
	Bucket     *stackparse.Bucket
	Goroutines []stackparse.Goroutine
	Rank       int // see waitRank
	culprit    int // index into b.Frames
}

// Place is who is to blame for the wait.
func (b *Blocked) Place() rules.Place { return rules.PlaceOf(b.Bucket.Frames[b.culprit].Frame) }

// BlockedIn lists the buckets whose goroutines satisfy keep and are in code that can be blamed, the likeliest root
// first: what waits for something that only itself or no one could give comes before what waits for others to finish.
// Runtime goroutines and those of the standard library alone wait by their nature.
func BlockedIn(d *rules.DumpInput, keep func(*stackparse.Bucket, *stackparse.Goroutine) bool) []Blocked {
	var found []Blocked
	for _, b := range d.Buckets {
		gs := rules.GoroutinesWhere(b, func(g *stackparse.Goroutine) bool {
			return g.Flags&stackparse.FlagG0 == 0 && keep(b, g)
		})
		if len(gs) == 0 {
			continue
		}
		i := rules.CulpritIndex(d.Program, b.Frames, rules.ShownFrames(b))
		if i < 0 || !rules.Blameable(d.Program.Class(b.Frames[i].Frame)) {
			continue
		}
		found = append(found, Blocked{b, gs, waitRank(b.Class), i})
	}
	slices.SortStableFunc(found, func(a, b Blocked) int {
		return cmp.Or(a.Rank-b.Rank, b.main()-a.main(), len(b.Goroutines)-len(a.Goroutines))
	})
	return found
}

// main is 1 for the main goroutine: the process ends with it.
func (b *Blocked) main() int {
	if b.Goroutines[0].ID == 1 {
		return 1
	}
	return 0
}

// waitRank orders waits by how likely they are the root of a standstill: a lock or a channel operation that cannot
// go on holds others up, while a WaitGroup, and main's select {}, only wait for the rest to end.
func waitRank(c stackparse.Class) int {
	for rank, classes := range [][]stackparse.Class{
		{stackparse.ClassNilChan},
		{stackparse.ClassMutex, stackparse.ClassRWMutexR, stackparse.ClassRWMutexW},
		{stackparse.ClassChanSend},
		{stackparse.ClassCond, stackparse.ClassSemaphore},
		{stackparse.ClassSelect},
		{stackparse.ClassChanReceive},
		{stackparse.ClassWaitGroup},
		{stackparse.ClassNoCases},
	} {
		if slices.Contains(classes, c) {
			return rank
		}
	}
	return 8
}

// ThreadHolders are the groups of goroutines that keep a thread each, biggest first.
func ThreadHolders(d *rules.DumpInput) []Blocked {
	all := BlockedIn(d, func(b *stackparse.Bucket, g *stackparse.Goroutine) bool {
		return b.Class == stackparse.ClassSyscall || b.Class == stackparse.ClassCgo ||
			g.Flags&stackparse.FlagLocked != 0
	})
	slices.SortStableFunc(all, func(a, b Blocked) int { return len(b.Goroutines) - len(a.Goroutines) })
	return all
}

package crash

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// A blocked is the goroutines of a bucket that wait.
type blocked struct {
	Bucket     *stackparse.Bucket
	Goroutines []stackparse.Goroutine
	Rank       int // see waitRank
	culprit    int // index into b.Frames
}

// Place is who is to blame for the wait.
func (b *blocked) Place() rules.Place { return rules.PlaceOf(b.Bucket.Frames[b.culprit].Frame) }

// blockedIn lists the buckets whose goroutines satisfy keep and are in code that can be blamed, the likeliest root
// first: what waits for something that only itself or no one could give comes before what waits for others to finish.
// Runtime goroutines and those of the standard library alone wait by their nature.
func blockedIn(d *rules.DumpInput, keep func(*stackparse.Bucket, *stackparse.Goroutine) bool) []blocked {
	var found []blocked
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
		found = append(found, blocked{b, gs, waitRank(b.Class), i})
	}
	slices.SortStableFunc(found, func(a, b blocked) int {
		return cmp.Or(a.Rank-b.Rank, b.main()-a.main(), len(b.Goroutines)-len(a.Goroutines))
	})
	return found
}

// main is 1 for the main goroutine: the process ends with it.
func (b *blocked) main() int {
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

// threadHolders are the groups of goroutines that keep a thread each, biggest first.
func threadHolders(d *rules.DumpInput) []blocked {
	all := blockedIn(d, func(b *stackparse.Bucket, g *stackparse.Goroutine) bool {
		return b.Class == stackparse.ClassSyscall || b.Class == stackparse.ClassCgo ||
			g.Flags&stackparse.FlagLocked != 0
	})
	slices.SortStableFunc(all, func(a, b blocked) int { return len(b.Goroutines) - len(a.Goroutines) })
	return all
}

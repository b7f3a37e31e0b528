package waitgraph

import (
	"runtime"
	"testing"

	"github.com/gotriage/triage/stackparse/frame"
)

// stepsOf is how much of its budget the search for holders spends on a dump, and the budget.
func stepsOf(t *testing.T, text []byte) (spent, budget int, cut bool) {
	t.Helper()
	dumps := parse(text)
	if len(dumps) != 1 {
		t.Fatalf("%d dumps", len(dumps))
	}
	s := solverOf(dumps[0])
	budget = s.steps
	s.collect()
	s.solve()
	return budget - s.steps, budget, s.cut
}

func TestWork_IsBoundedBySomeStepsAGoroutine(t *testing.T) {
	// A lock is judged whole, so that the last one may go past the budget: by no more than comparing it with
	// everything.
	for _, times := range []int{1, 2} {
		for _, in := range inputs(times, 5) {
			spent, budget, cut := stepsOf(t, in.text)
			if spent > budget*5/4 || cut != (spent > budget) {
				t.Errorf("%s: %d steps, the budget is %d, cut %v", in.name, spent, budget, cut)
			}
			t.Logf("%s: %d steps of %d", in.name, spent, budget)
		}
	}
}

func TestWork_PastTheBudgetLocksAreLeftOutAndTheGraphSaysSo(t *testing.T) {
	d := parse(cycles(2_000, 2_000))[0]
	g := new(Memory).Build(d, frame.Program{}, neverIdle)
	if !g.Cut || len(g.Objects) != 2_000 || len(g.Blockages) == 0 || len(g.Blockages) == 1_000 {
		t.Errorf("cut %v, %d objects, %d blockages", g.Cut, len(g.Objects), len(g.Blockages))
	}
	for _, b := range g.Blockages {
		if b.Kind != LockCycle || len(b.Links) != 2 {
			t.Fatalf("what was looked at is %s", blockageText(d, &b))
		}
	}
	if small := new(Memory).Build(parse(cycles(100, 100))[0], frame.Program{}, neverIdle); small.Cut ||
		len(small.Blockages) != 50 {
		t.Errorf("of 50 cycles: cut %v, %d blockages", small.Cut, len(small.Blockages))
	}
}

func TestWork_WithLittleLeftOneOfManyAlikeLocksIsLookedAt(t *testing.T) {
	d := parse(ownMutexes(10_000))[0]
	s := solverOf(d)
	s.steps = 200_000
	s.collect()
	s.solve()
	judged, waiters := 0, 0
	for _, b := range s.blockages {
		judged++
		waiters += b.Waiters
	}
	if s.cut || judged != 100 || waiters != 10_000 {
		t.Errorf("cut %v, %d blockages with %d waiters", s.cut, judged, waiters)
	}
}

func TestMemory_OfAGraphIsBoundedByGoroutinesAndStacks(t *testing.T) {
	for _, in := range inputs(1, 10) {
		d := parse(in.text)[0]
		before := allocated()
		g := new(Memory).Build(d, frame.Program{}, neverIdle)
		took := allocated() - before
		// What is allocated bounds what is held at any time.
		if limit := uint64(4<<20 + 1024*d.Goroutines + 8192*len(d.Buckets)); took > limit {
			t.Errorf("%s: %d bytes allocated, the limit is %d", in.name, took, limit)
		}
		t.Logf("%s: %d bytes, %d a goroutine", in.name, took, took/uint64(d.Goroutines))
		runtime.KeepAlive(g)
	}
}

func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

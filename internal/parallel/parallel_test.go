package parallel

import (
	"sync/atomic"
	"testing"
)

func TestEachStepRunsOnceAndAToolHasOneUserAtATime(t *testing.T) {
	type tool struct{ users atomic.Int32 }
	var tools atomic.Int32
	ran := make([]int, 1000)
	EachWith(len(ran), func() *tool { tools.Add(1); return &tool{} }, func(i int, own *tool) {
		if own.users.Add(1) > 1 {
			t.Error("two users of a tool")
		}
		ran[i]++
		own.users.Add(-1)
	})
	for i, n := range ran {
		if n != 1 {
			t.Fatalf("step %d ran %d times", i, n)
		}
	}
	if tools.Load() == 0 {
		t.Error("no tool was made")
	}
	Each(0, func(int) { t.Error("a step of none") })
}

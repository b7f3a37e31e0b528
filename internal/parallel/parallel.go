// Package parallel runs independent steps on all processors.
package parallel

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do for 0 to n-1, as many at a time as there are processors. Calls keep to what is theirs: slot i of a
// slice, say, so that the order in which they end does not show.
func Each(n int, do func(i int)) {
	EachWith(n, func() struct{} { return struct{}{} }, func(i int, _ struct{}) { do(i) })
}

// EachWith is Each with a tool for each processor, which one call at a time uses.
func EachWith[T any](n int, tool func() T, do func(i int, t T)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	work := func() {
		t := tool()
		for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
			do(i, t)
		}
	}
	for range min(runtime.GOMAXPROCS(0), n) - 1 {
		wg.Go(work)
	}
	work()
	wg.Wait()
}

package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// maxGarbage is how many bytes of garbage there may be before it is collected, where a collection reads less than
	// readTimes as much as that. All that a small input needs is less, so that such a run never collects: on CPU
	// profiles of 20 KB a collection takes a fifth of the run. The runtime's own default is as much garbage as there is
	// in use, half of the memory of a large run.
	maxGarbage = 32 << 20
	// readTimes is how many times as much as the garbage a collection may read. That is less than what is in use: text,
	// goroutines and numbers hold no pointers.
	readTimes = 2
	// leastPercent is the least GOGC, for what is all text.
	leastPercent = 10
	// firstPercent is GOGC until the first collection: it makes the runtime's least heap of 4 MiB one of maxGarbage.
	firstPercent = 800
	// memoryLimit is how much the runtime may hold before it collects more often than that, in bytes, unless more is in
	// use (limitFor): garbage does not add half to what a hostile input makes triage keep. Dumps, bundles and logs of
	// ordinary shape stay below.
	memoryLimit = 320 << 20
)

// paceCollector lets garbage take maxGarbage beside what is in use. Where the user sets GOGC or GOMEMLIMIT, those hold,
// and it returns false.
func paceCollector(getenv func(string) string) bool {
	if getenv("GOGC") != "" || getenv("GOMEMLIMIT") != "" {
		return false
	}
	debug.SetGCPercent(firstPercent)
	debug.SetMemoryLimit(memoryLimit)
	onceCollected(func() {
		inUse, read := collected()
		debug.SetGCPercent(percentFor(inUse, read))
		debug.SetMemoryLimit(limitFor(inUse))
	})
	return true
}

// onceCollected calls do after each collection from now on.
func onceCollected(do func()) {
	// Nothing refers to the mark: the next collection finds it dead. It is no tiny object: those share a block, and
	// live as long as their neighbours (runtime.AddCleanup).
	mark := new([64]byte)
	runtime.AddCleanup(mark, func(do func()) {
		do()
		onceCollected(do)
	}, do)
}

// collected is how many bytes the last collection found in use, and how many of them it had to read.
func collected() (inUse, read uint64) {
	heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/gc/scan/heap:bytes"}}
	metrics.Read(heap)
	if heap[0].Value.Kind() != metrics.KindUint64 || heap[1].Value.Kind() != metrics.KindUint64 {
		return 0, 0
	}
	return heap[0].Value.Uint64(), heap[1].Value.Uint64()
}

// limitFor is the limit of memory where so many bytes are in use: near the limit all of it is read again for each few
// megabytes of garbage.
func limitFor(inUse uint64) int64 { return int64(max(memoryLimit, inUse+inUse/4+maxGarbage)) }

// percentFor is GOGC where so many bytes are in use, and so many of them are read by a collection.
func percentFor(inUse, read uint64) int {
	garbage := max(maxGarbage, read/readTimes)
	return max(leastPercent, int(min(firstPercent, 100*garbage/max(inUse, 1))))
}

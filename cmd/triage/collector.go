package main

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

const (
	// maxGarbage is how many bytes of garbage there may be before it is collected, where less than three times as much
	// is in use. All that a small input needs is less, so that such a run never collects: on CPU profiles of 20 KB a
	// collection takes a fifth of the run. The runtime's own default is as much garbage as there is in use, half of
	// the memory of a large run.
	maxGarbage = 32 << 20
	// leastPercent is GOGC where much is in use: each collection reads all of it.
	leastPercent = 33
	// firstPercent is GOGC until the first collection: it makes the runtime's least heap of 4 MiB one of maxGarbage.
	firstPercent = 800
	// memoryLimit is how much the runtime may hold before it collects more often than that, in bytes: garbage does not
	// add a third to what a hostile input makes triage keep. Dumps, bundles and logs of ordinary shape stay below.
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
	onceCollected(func() { debug.SetGCPercent(percentFor(inUse())) })
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

// inUse is how many bytes the last collection found in use.
func inUse() uint64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	if live[0].Value.Kind() != metrics.KindUint64 {
		return 0
	}
	return live[0].Value.Uint64()
}

// percentFor is GOGC for so many bytes in use.
func percentFor(live uint64) int {
	return max(leastPercent, int(min(firstPercent, 100*maxGarbage/max(live, 1))))
}

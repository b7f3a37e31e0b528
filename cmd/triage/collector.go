package main

import (
	"runtime"
	"runtime/debug"
)

// firstCollection is GOGC until the first collection: it makes the runtime's least heap of 4 MiB one of 32 MiB, which
// holds all that a small input needs, so that such a run never collects. Measured on CPU profiles of 20 KB: a
// collection takes a fifth of the run.
const firstCollection = 800

// putOffCollecting keeps the collector out of short runs. From the first collection on it works as it does by default;
// who sets GOGC or GOMEMLIMIT has it their way.
func putOffCollecting(getenv func(string) string) {
	if getenv("GOGC") != "" || getenv("GOMEMLIMIT") != "" {
		return
	}
	debug.SetGCPercent(firstCollection)
	// Nothing refers to the mark: the first collection finds it dead. It is no tiny object: those share a block, and
	// live as long as their neighbours (runtime.AddCleanup).
	mark := new([64]byte)
	runtime.AddCleanup(mark, func(usual int) { debug.SetGCPercent(usual) }, 100)
}

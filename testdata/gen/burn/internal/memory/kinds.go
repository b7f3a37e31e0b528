// Package memory allocates, copies, converts and collects more than it should.
package memory

import "example.com/fixtures/burn/run"

const maps = `^runtime\.(hashGrow|growWork|evacuate).*|^internal/runtime/maps\.\(\*(table|Map)\)\.(grow|rehash|split|growToTable|growToSmall)`

const collector = `^runtime\.(gcBgMarkWorker|gcAssistAlloc1?|gcDrain.*|bgsweep|bgscavenge|gcStart)$`

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		hot("string-concat", "string built with += in a loop", `^runtime\.concatstring`, "(*Report).text", startReport),
		hot("bytes-string", "conversions between []byte and string", `^runtime\.(slicebytetostring|stringtoslicebyte)$`, "(*Headers).lower", startHeaders),
		hot("map-growth", "map filled without a size", maps, "(*Index).byName", startIndex),
		hot("map-lookup", "map with long keys looked up", `^runtime\.(mapaccess|aeshashbody|strhash|memhash).*|^internal/runtime/maps\.`, "(*Cache).lookup", startLookups),
		hot("slice-growth", "slice grown by append without a capacity", `^runtime\.growslice$`, "(*Batch).gather", startBatch),
		hot("sort-slice", "sort.Slice", `^sort\.Slice$`, "(*Ranking).order", startRanking),
		hot("linear-search", "list searched from its start for every item", `^runtime\.memequal$|^memeqbody$|\(\*Members\)\.has`, "(*Members).has", startMembers),
		// Since Go 1.22 most assertions are settled by a table that the compiler puts beside the code: only the function itself is hot.
		hot("type-assert", "assertions to interfaces for every item", `^runtime\.(assertE2I2?|typeAssert|getitab|interfaceSwitch)|\(\*Visitor\)\.visit$`, "(*Visitor).visit", startVisitor),
		hot("context-chain", "values looked up in a long chain of contexts", `^context\.(value|\(\*valueCtx\)\.Value)$`, "tenantOf", startTenants),
		hot("panic-flow", "panics as control flow", `^runtime\.(gopanic|gorecover|mcall|recovery)$`, "(*Parser).attempt", startParser),
		hot("memmove", "large structs copied", `^runtime\.(memmove|duffcopy)$`, "(*Window).push", startWindow),
		hot("memclr", "large buffer made and cleared for every call", `^runtime\.(memclrNoHeapPointers|memclrNoHeapPointersChunked)$`, "(*Copier).copyOne", startCopier),
		hot("stack-growth", "deep recursion in new goroutines", `^runtime\.(newstack|copystack|morestack)$`, "(*Tree).depth", startTree),
		kind("gc-pressure", "garbage of small objects", "gc", `^runtime\.mallocgc$|`+collector, "(*Decoder).nodes", false, startDecoder),
		kind("gc-assist", "allocation faster than the collector marks", "gc", `^runtime\.gcAssistAlloc1?$`, "(*Graph).rebuild", false, startGraph),
		kind("runtime-gc", "runtime.GC called in a loop", "gc", `^runtime\.GC$|`+collector, "(*Janitor).sweep", true, startJanitor),
		kind("free-os-memory", "debug.FreeOSMemory called in a loop", "gc", `^runtime/debug\.|^runtime\.(GC|\(\*mheap\)\.scavenge.*|\(\*pageAlloc\)\.scavenge.*|sysUnused.*|sysUsed.*|madvise|systemstack)$|`+collector, "(*Shrinker).shrink", true, startShrinker),
		kind("memory-limit", "memory limit below what is in use", "gc", collector, "(*Session).touch", true, startSessions),
		kind("finalizers", "finalizer for every object", "gc", `^runtime\.(SetFinalizer|addfinalizer|addspecial|createfing|runfinq|runFinalizers|runFinqCleanups?|freeSpecial|queuefinalizer)|^runtime\.\(\*sweepLocked\)\.sweep$`, "(*Handles).open", false, startHandles),
		hot("read-memstats", "runtime.ReadMemStats in a loop", `^runtime\.(ReadMemStats|readmemstats_m|ReadMemStats\.func1|stopTheWorldGC|stopTheWorld.*|systemstack)$`, "(*Gauge).sample", startGauge),
		hot("self-profile", "goroutine profile written in a loop", `^runtime/pprof\.`, "(*Watchdog).check", startWatchdog),
	}
}

func hot(name, topic, guilty, culprit string, start func(*run.Service) error) run.Kind {
	return kind(name, topic, "hot-cpu", guilty, culprit, false, start)
}

func kind(name, topic, category, guilty, culprit string, hidden bool, start func(*run.Service) error) run.Kind {
	return run.Kind{
		Name: name, Profile: "cpu", Topic: topic, Guilty: guilty, Culprit: run.Own("memory", culprit), Category: category, Hidden: hidden, Lean: category == "gc", Start: start,
	}
}

package crash

import (
	_ "embed"

	"github.com/gotriage/triage/rules"
)

//go:embed doc.md
var crashDoc string

// Rules returns the rules about a process that died, or a panic that someone caught and logged (TR2xx), and about
// races that the runtime or the race detector caught (TR3xx). Each cause belongs to exactly one of them: see causeRule.
func Rules() []*rules.Rule {
	return rules.Documented(crashDoc, []*rules.Rule{
		crashRule(idNilDereference, "nil-dereference", rules.Crash, rules.Critical, nil, explainNil),
		crashRule(idFatalSignal, "fatal-signal", rules.Crash, rules.Critical, nil, explainSignal),
		crashRule(idIndexOutOfRange, "index-out-of-range", rules.Crash, rules.Critical, nil, explainBounds),
		crashRule(idNilMapWrite, "nil-map-write", rules.Crash, rules.Critical, nil, nil),
		crashRule(idFailedTypeAssertion, "failed-type-assertion", rules.Crash, rules.Critical, nil, explainAssertion),
		crashRule(idUnhashableKey, "unhashable-key", rules.Crash, rules.Critical, nil, nil),
		crashRule(idArithmeticPanic, "arithmetic-panic", rules.Crash, rules.Critical, nil, nil),
		crashRule(idClosedChannel, "closed-channel", rules.Crash, rules.Critical, nil, explainChannel),
		crashRule(idWaitGroupMisuse, "waitgroup-misuse", rules.Crash, rules.Critical, nil, nil),
		crashRule(idUnlockOfUnlocked, "unlock-of-unlocked", rules.Crash, rules.Critical, nil, nil),
		crashRule(idAllocationSize, "allocation-size", rules.Crash, rules.Critical, nil, nil),
		crashRule(idReflectMisuse, "reflect-misuse", rules.Crash, rules.Critical, nil, nil),
		crashRule(idExplicitPanic, "explicit-panic", rules.Crash, rules.Critical, nil, explainExplicit),
		crashRule(idAllAsleep, "all-goroutines-asleep", rules.Deadlock, rules.Critical, blameRoot(asleep),
			explainAsleep),
		crashRule(idSynctestDeadlock, "synctest-deadlock", rules.Deadlock, rules.Critical, locateBubble, explainBubble),
		crashRule(idTestTimeout, "test-timeout", rules.Deadlock, rules.High, locateTest, explainTest),
		crashRule(idOutOfMemory, "out-of-memory", rules.Memory, rules.Critical, locateMemory, explainMemory),
		crashRule(idThreadExhaustion, "thread-exhaustion", rules.Crash, rules.Critical, locateThreads, explainThreads),
		crashRule(idStackOverflow, "stack-overflow", rules.Crash, rules.Critical, locateCycle, explainOverflow),
		crashRule(idHeapCorruption, "heap-corruption", rules.Crash, rules.Critical, nil, unsure),
		crashRule(idCgoPointer, "cgo-pointer", rules.Crash, rules.Critical, locateCgo, nil),
		crashRule(idCgoCrash, "cgo-crash", rules.Crash, rules.Critical, locateCgo, explainCgo),
		crashRule(idRuntimeFatal, "runtime-fatal", rules.Crash, rules.Critical, nil, unsure),
		crashRule(idLogFatal, "log-fatal", rules.Crash, rules.High, locateLogger, explainLogFatal),
		crashRule(idUnalignedAtomic, "unaligned-atomic", rules.Crash, rules.Critical, nil, nil),
		crashRule(idReportedLock, "reported-deadlock", rules.Deadlock, rules.Critical, nil, explainReported),
		dataRace(),
		crashRule(idConcurrentMap, "concurrent-map-access", rules.RaceCat, rules.Critical, nil, explainMap),
	})
}

package rules

import _ "embed"

//go:embed doc_crash.md
var crashDoc string

// crashRules are the rules about a process that died, or a panic that someone caught and logged (TR2xx), and about
// races that the runtime or the race detector caught (TR3xx). Each cause belongs to exactly one of them: see causeRule.
func crashRules() []*Rule {
	return Documented(crashDoc, []*Rule{
		nilDereference(),
		fatalSignal(),
		indexOutOfRange(),
		nilMapWrite(),
		failedTypeAssertion(),
		unhashableKey(),
		arithmeticPanic(),
		closedChannel(),
		waitGroupMisuse(),
		unlockOfUnlocked(),
		allocationSize(),
		reflectMisuse(),
		explicitPanic(),
		allAsleep(),
		synctestDeadlock(),
		testTimeout(),
		outOfMemory(),
		threadExhaustion(),
		stackOverflow(),
		heapCorruption(),
		cgoPointer(),
		cgoCrash(),
		runtimeFatal(),
		logFatal(),
		dataRace(),
		concurrentMap(),
	})
}

// The ids, for causeRule. Never reused.
const (
	idNilDereference      = "TR201"
	idFatalSignal         = "TR202"
	idIndexOutOfRange     = "TR203"
	idNilMapWrite         = "TR204"
	idFailedTypeAssertion = "TR205"
	idUnhashableKey       = "TR206"
	idArithmeticPanic     = "TR207"
	idClosedChannel       = "TR208"
	idWaitGroupMisuse     = "TR209"
	idUnlockOfUnlocked    = "TR210"
	idAllocationSize      = "TR211"
	idReflectMisuse       = "TR212"
	idExplicitPanic       = "TR213"
	idAllAsleep           = "TR214"
	idSynctestDeadlock    = "TR215"
	idTestTimeout         = "TR216"
	idOutOfMemory         = "TR217"
	idThreadExhaustion    = "TR218"
	idStackOverflow       = "TR219"
	idHeapCorruption      = "TR220"
	idCgoPointer          = "TR221"
	idCgoCrash            = "TR222"
	idRuntimeFatal        = "TR223"
	idLogFatal            = "TR224"
	idDataRace            = "TR301"
	idConcurrentMap       = "TR302"
)

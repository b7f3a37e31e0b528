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

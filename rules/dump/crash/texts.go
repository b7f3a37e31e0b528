package crash

import (
	_ "embed"
	"sync"

	"github.com/gotriage/triage/rules/dump/account"
)

//go:embed findings.md
var findingsText string

// findings are the texts of these rules, and under "waits" those about goroutines that wait, by class.
var findings = sync.OnceValue(func() account.Book { return account.Parse(findingsText) })

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
	idUnalignedAtomic     = "TR225"
	idReportedLock        = "TR226"
	idDataRace            = "TR301"
	idConcurrentMap       = "TR302"
)

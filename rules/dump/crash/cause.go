package crash

import (
	"iter"
	"slices"
	"strings"

	"github.com/gotriage/triage/stackparse"
)

// causeRule identifies which rule a cause belongs to, "" for none: a dump that someone asked for from outside
// (SIGQUIT, SIGABRT by kill) is no crash. It decides by the text alone, once and for all rules, so that one cause
// never becomes two findings.
func causeRule(c *stackparse.Cause) string {
	if c == nil {
		return ""
	}
	switch c.Kind {
	case stackparse.CauseSignal:
		return signalRule(c)
	case stackparse.CauseFatal:
		rule := matchText(fatalTexts(), strings.TrimPrefix(c.Text, "runtime: "), idRuntimeFatal)
		if rule == idFatalSignal && duringCgo(c) {
			return idCgoCrash
		}
		return rule
	case stackparse.CausePanic, stackparse.CauseLoggedPanic:
		return panicRule(originalPanic(c))
	case stackparse.CauseTestTimeout:
		return idTestTimeout
	case stackparse.CauseLogFatal:
		return idLogFatal
	}
	return ""
}

// signalRule sorts fatal signals: what a fault in the program's own process raised, not what kill sent. The sender
// shows in sigcode (si_code of sigaction(2)): 0 is SI_USER, kill; -6 is SI_TKILL, raise and so abort(3).
func signalRule(c *stackparse.Cause) string {
	code, known := signalCode(c)
	inC := duringCgo(c)
	switch c.SignalName() {
	case "SIGABRT":
		switch {
		case hasLine(c, "pthread_create failed"):
			return idThreadExhaustion
		case known && code == tkill:
			return idCgoCrash
		}
	case "SIGSEGV", "SIGBUS", "SIGILL", "SIGFPE", "SIGTRAP", "SIGSYS", "Exception":
		switch {
		case known && code == 0:
			return ""
		case inC:
			return idCgoCrash
		}
		return idFatalSignal
	}
	return ""
}

const tkill = -6 // SI_TKILL of sigaction(2)

// signalCode reads "sigcode=18446744073709551610" from the signal's lines; the runtime prints it unsigned.
func signalCode(c *stackparse.Cause) (code int64, known bool) {
	for s := range causeLines(c) {
		if v, ok := fieldAfter(s, "sigcode="); ok {
			n, ok := parseUint(v)
			return int64(n), ok
		}
	}
	return 0, false
}

// duringCgo reports whether C ran, as the runtime notes it: "external code" on Windows.
func duringCgo(c *stackparse.Cause) bool {
	return hasLine(c, "signal arrived during cgo execution") ||
		hasLine(c, "signal arrived during external code execution")
}

// hasLine reports whether any line that the runtime printed about c holds text.
func hasLine(c *stackparse.Cause, text string) bool {
	for s := range causeLines(c) {
		if strings.Contains(s, text) {
			return true
		}
	}
	return false
}

func causeLines(c *stackparse.Cause) iter.Seq[string] {
	return func(yield func(string) bool) {
		if !yield(c.Signal) || !yield(c.Detail) || !yield(c.Text) || !yield(c.LogLine) {
			return
		}
		for _, s := range c.Notes {
			if !yield(s) {
				return
			}
		}
	}
}

// A textRule gives causes to a rule: those whose text begins with one of its texts, or has it anywhere.
type textRule struct {
	rule     string
	anywhere bool
	texts    []string
}

// fatalTexts are the texts of runtime.throw and runtime.fatal up to Go 1.27, the most specific first. Those of
// idHeapCorruption are the checks of the allocator and the collector on their own structures.
func fatalTexts() []textRule {
	return []textRule{
		{idAllAsleep, false, []string{"all goroutines are asleep", "no goroutines (main called runtime.Goexit)"}},
		{idConcurrentMap, false, []string{"concurrent map", "small map with no empty slot"}},
		{idSynctestDeadlock, true, []string{"synctest"}},
		{idUnlockOfUnlocked, false, []string{"sync: "}},
		{idStackOverflow, false, []string{"stack overflow"}},
		{idOutOfMemory, true, []string{"out of memory", "cannot allocate", "failed to reserve memory"}},
		{idThreadExhaustion, false, []string{"thread exhaustion"}},
		{idThreadExhaustion, true, []string{"newosproc", "failed to create new OS thread"}},
		{idNilDereference, false, []string{"go of nil func value"}},
		{idCgoPointer, true, []string{"checkptr"}},
		{idFatalSignal, false, []string{"fault", "unexpected signal"}},
		{idReportedLock, false, []string{"POTENTIAL DEADLOCK"}},
		{idHeapCorruption, true, []string{
			"found bad pointer", "found pointer to", "bad pointer", "invalid pointer", "invalid heap pointer",
			"malloc deadlock", "markroot", "scanobject", "greyobject", "sweep", "span", "workbuf", "heapBits",
			"freeindex", "free list", "corrupt", "unexpected return pc", "unknown return pc", "unknown caller pc",
			"traceback did not unwind completely", "bad g status", "missed stack barrier",
		}},
	}
}

// panicTexts are the texts of the runtime's own panics up to Go 1.27 (runtime/error.go, panic.go, chan.go, slice.go,
// internal/runtime/maps) and those of the standard library that programs die of. Texts that no one writes by chance
// count anywhere: wrapped errors and log lines put words before them.
func panicTexts() []textRule {
	return []textRule{
		{idNilDereference, true, []string{"invalid memory address or nil pointer dereference", "called using nil *"}},
		{idIndexOutOfRange, true, []string{
			"index out of range", "slice bounds out of range", "cannot convert slice with length", "unsafe.Slice: ",
			"unsafe.String: ",
		}},
		{idNilMapWrite, true, []string{"assignment to entry in nil map"}},
		{idFailedTypeAssertion, true, []string{"interface conversion: "}},
		{idUnhashableKey, true, []string{"hash of unhashable type", "comparing uncomparable type"}},
		{idArithmeticPanic, true, []string{
			"integer divide by zero", "runtime error: integer overflow", "floating point error",
			"negative shift amount",
		}},
		{idClosedChannel, true, []string{
			"send on closed channel", "close of closed channel", "close of nil channel",
		}},
		{idWaitGroupMisuse, true, []string{
			"negative WaitGroup counter", "WaitGroup misuse", "WaitGroup is reused before",
		}},
		{idAllocationSize, true, []string{
			"makeslice: ", "growslice: ", "makechan: ", "allocation size out of range",
			"gobytes: length out of range", "bytes.Buffer: too large", "bytes.Buffer.Grow: negative count",
			"strings.Builder.Grow: negative count", "negative Repeat count", "Repeat output length overflow",
		}},
		{idCgoPointer, true, []string{"cgo argument has Go pointer", "cgo result ", "runtime.Pinner", "checkptr: "}},
		{idUnalignedAtomic, true, []string{"unaligned 64-bit atomic operation"}},
		{idTestTimeout, false, []string{"test timed out after"}},
		{idSynctestDeadlock, false, []string{
			"deadlock: all goroutines in bubble are blocked", "deadlock: main bubble goroutine has exited",
		}},
		{idReflectMisuse, false, []string{"reflect: ", "reflect.", "reflect "}},
	}
}

func panicRule(text string) string {
	return matchText(panicTexts(), strings.TrimLeft(text, `" `), idExplicitPanic)
}

// matchText returns the rule of the first text that matches, failing that otherwise.
func matchText(table []textRule, text, otherwise string) string {
	for _, r := range table {
		if slices.ContainsFunc(r.texts, func(t string) bool {
			return r.anywhere && strings.Contains(text, t) || strings.HasPrefix(text, t)
		}) {
			return r.rule
		}
	}
	return otherwise
}

// originalPanic is the text of the panic that was raised first: later links of the chain were raised by deferred
// functions because of it.
func originalPanic(c *stackparse.Cause) string {
	if len(c.Panics) > 0 && c.Panics[0].Text != "" {
		return c.Panics[0].Text
	}
	return c.Text
}

// fieldAfter returns the word that follows key in s: "0x18" for "addr=" in "… addr=0x18 pc=0x658ff9]".
func fieldAfter(s, key string) (string, bool) {
	i := strings.Index(s, key)
	if i < 0 {
		return "", false
	}
	rest := s[i+len(key):]
	if end := strings.IndexAny(rest, " ]\t,)"); end >= 0 {
		rest = rest[:end]
	}
	return rest, rest != ""
}

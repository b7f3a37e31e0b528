package crash

import (
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
		return fatalRule(c)
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
	switch signalName(c) {
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
	for _, s := range causeLines(c) {
		if v, ok := fieldAfter(s, "sigcode="); ok {
			n, ok := parseUint(v)
			return int64(n), ok
		}
	}
	return 0, false
}

// signalName is "SIGSEGV" of "SIGSEGV: segmentation violation" or of "[signal SIGSEGV: … code=…]", "Exception" on
// Windows, "" where absent.
func signalName(c *stackparse.Cause) string {
	s := c.Signal
	if s == "" {
		s = strings.TrimPrefix(strings.TrimPrefix(c.Detail, "["), "signal ")
	}
	name, _, _ := strings.Cut(s, ":")
	name, _, _ = strings.Cut(name, " ")
	if !strings.HasPrefix(name, "SIG") && name != "Exception" {
		return ""
	}
	return name
}

func duringCgo(c *stackparse.Cause) bool { return hasLine(c, "signal arrived during cgo execution") }

// hasLine reports whether any line that the runtime printed about c holds text.
func hasLine(c *stackparse.Cause, text string) bool {
	for _, s := range causeLines(c) {
		if strings.Contains(s, text) {
			return true
		}
	}
	return false
}

func causeLines(c *stackparse.Cause) []string {
	return append([]string{c.Signal, c.Detail, c.Text, c.LogLine}, c.Notes...)
}

// A textRule gives a text to a rule. Where anywhere is false the text must begin with it.
type textRule struct {
	text     string
	rule     string
	anywhere bool
}

// fatalTexts are the texts of runtime.throw and runtime.fatal up to Go 1.27, the most telling first. Those that
// heapCorruption claims are the checks of the allocator and the collector on their own structures.
func fatalTexts() []textRule {
	return []textRule{
		{"all goroutines are asleep", idAllAsleep, false},
		{"no goroutines (main called runtime.Goexit)", idAllAsleep, false},
		{"concurrent map", idConcurrentMap, false},
		{"small map with no empty slot", idConcurrentMap, false},
		{"synctest", idSynctestDeadlock, true},
		{"sync: ", idUnlockOfUnlocked, false},
		{"stack overflow", idStackOverflow, false},
		{"out of memory", idOutOfMemory, true},
		{"cannot allocate", idOutOfMemory, true},
		{"failed to reserve memory", idOutOfMemory, true},
		{"thread exhaustion", idThreadExhaustion, false},
		{"newosproc", idThreadExhaustion, true},
		{"failed to create new OS thread", idThreadExhaustion, true},
		{"go of nil func value", idNilDereference, false},
		{"checkptr", idCgoPointer, true},
		{"fault", idFatalSignal, false},
		{"found bad pointer", idHeapCorruption, true},
		{"found pointer to", idHeapCorruption, true},
		{"bad pointer", idHeapCorruption, true},
		{"invalid pointer", idHeapCorruption, true},
		{"invalid heap pointer", idHeapCorruption, true},
		{"malloc deadlock", idHeapCorruption, true},
		{"markroot", idHeapCorruption, true},
		{"scanobject", idHeapCorruption, true},
		{"greyobject", idHeapCorruption, true},
		{"sweep", idHeapCorruption, true},
		{"span", idHeapCorruption, true},
		{"workbuf", idHeapCorruption, true},
		{"heapBits", idHeapCorruption, true},
		{"freeindex", idHeapCorruption, true},
		{"free list", idHeapCorruption, true},
		{"corrupt", idHeapCorruption, true},
		{"unexpected return pc", idHeapCorruption, true},
		{"unknown return pc", idHeapCorruption, true},
		{"unknown caller pc", idHeapCorruption, true},
		{"traceback did not unwind completely", idHeapCorruption, true},
		{"bad g status", idHeapCorruption, true},
		{"missed stack barrier", idHeapCorruption, true},
	}
}

func fatalRule(c *stackparse.Cause) string {
	text := strings.TrimPrefix(c.Text, "runtime: ")
	if strings.HasPrefix(text, "unexpected signal") {
		if duringCgo(c) {
			return idCgoCrash
		}
		return idFatalSignal
	}
	if rule := matchText(fatalTexts(), text); rule != "" {
		return rule
	}
	return idRuntimeFatal
}

// panicTexts are the texts of the runtime's own panics up to Go 1.27 (runtime/error.go, panic.go, chan.go, slice.go,
// internal/runtime/maps) and those of the standard library that programs die of. Texts that no one writes by chance
// count anywhere: wrapped errors and log lines put words before them.
func panicTexts() []textRule {
	return []textRule{
		{"invalid memory address or nil pointer dereference", idNilDereference, true},
		{"called using nil *", idNilDereference, true},
		{"index out of range", idIndexOutOfRange, true},
		{"slice bounds out of range", idIndexOutOfRange, true},
		{"cannot convert slice with length", idIndexOutOfRange, true},
		{"unsafe.Slice: ", idIndexOutOfRange, true},
		{"unsafe.String: ", idIndexOutOfRange, true},
		{"assignment to entry in nil map", idNilMapWrite, true},
		{"interface conversion: ", idFailedTypeAssertion, true},
		{"hash of unhashable type", idUnhashableKey, true},
		{"comparing uncomparable type", idUnhashableKey, true},
		{"integer divide by zero", idArithmeticPanic, true},
		{"runtime error: integer overflow", idArithmeticPanic, true},
		{"floating point error", idArithmeticPanic, true},
		{"negative shift amount", idArithmeticPanic, true},
		{"send on closed channel", idClosedChannel, true},
		{"close of closed channel", idClosedChannel, true},
		{"close of nil channel", idClosedChannel, true},
		{"negative WaitGroup counter", idWaitGroupMisuse, true},
		{"WaitGroup misuse", idWaitGroupMisuse, true},
		{"WaitGroup is reused before", idWaitGroupMisuse, true},
		{"makeslice: ", idAllocationSize, true},
		{"growslice: ", idAllocationSize, true},
		{"makechan: ", idAllocationSize, true},
		{"allocation size out of range", idAllocationSize, true},
		{"gobytes: length out of range", idAllocationSize, true},
		{"bytes.Buffer: too large", idAllocationSize, true},
		{"bytes.Buffer.Grow: negative count", idAllocationSize, true},
		{"strings.Builder.Grow: negative count", idAllocationSize, true},
		{"negative Repeat count", idAllocationSize, true},
		{"Repeat output length overflow", idAllocationSize, true},
		{"cgo argument has Go pointer", idCgoPointer, true},
		{"cgo result ", idCgoPointer, true},
		{"runtime.Pinner", idCgoPointer, true},
		{"checkptr: ", idCgoPointer, true},
		{"test timed out after", idTestTimeout, false},
		{"deadlock: all goroutines in bubble are blocked", idSynctestDeadlock, false},
		{"deadlock: main bubble goroutine has exited", idSynctestDeadlock, false},
		{"reflect: ", idReflectMisuse, false},
		{"reflect.", idReflectMisuse, false},
		{"reflect ", idReflectMisuse, false},
	}
}

func panicRule(text string) string {
	text = strings.TrimLeft(text, `" `)
	if rule := matchText(panicTexts(), text); rule != "" {
		return rule
	}
	return idExplicitPanic
}

func matchText(table []textRule, text string) string {
	for _, t := range table {
		if t.anywhere && strings.Contains(text, t.text) || strings.HasPrefix(text, t.text) {
			return t.rule
		}
	}
	return ""
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

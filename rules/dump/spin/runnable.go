package spin

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// The verdicts on goroutines that are running or runnable.
const (
	VerdictAccused  = "accused"
	VerdictInnocent = "innocent"
	VerdictWatch    = "watch"
)

// A RunnableVerdict explains why the running or runnable goroutines of one bucket are or are not accused.
type RunnableVerdict struct {
	Goroutines []uint64 // the smallest MaxEvidenceIDs
	Count      int
	State      string
	Verdict    string
	Reason     string
	Frame      stackparse.Frame // the first that counts; empty without a stack
}

// RunnableVerdicts judges every running or runnable goroutine of a dump, given what was found in it.
func RunnableVerdicts(d *rules.DumpInput, findings []rules.Finding) []RunnableVerdict {
	accused := map[uint64]string{}
	for _, f := range findings {
		for _, e := range f.Evidence {
			if d.Input != e.Input && !sameEvidence(d, e) {
				continue
			}
			for _, id := range e.Goroutines {
				accused[id] = f.Rule + " " + f.Name
			}
		}
	}
	var all []RunnableVerdict
	for _, a := range activity(d) {
		if a.act == actSystem {
			continue
		}
		v := RunnableVerdict{
			Goroutines: rules.SmallestIDs(a.goroutines),
			Count:      len(a.goroutines),
			State:      d.StateOf(&a.goroutines[0]),
		}
		if a.leaf >= 0 {
			v.Frame = a.bucket.Frames[a.leaf]
		}
		v.Verdict, v.Reason = a.verdict()
		if rule := accused[a.goroutines[0].ID]; rule != "" {
			v.Verdict, v.Reason = VerdictAccused, rule
		}
		all = append(all, v)
	}
	return all
}

// sameEvidence reports whether evidence of a rotated log's other file lies in this dump.
func sameEvidence(d *rules.DumpInput, e rules.Evidence) bool {
	if d.Locate == nil {
		return false
	}
	first, _ := d.Locate(d.Line)
	last, _ := d.Locate(d.EndLine)
	return e.Input == first || e.Input == last
}

// verdict describes the evidence for these goroutines, or that one dump does not show it. Reasons are fragments without
// a verb that agrees with a number: a report merges the goroutines of several stacks that have one reason.
func (a *active) verdict() (verdict, reason string) {
	if c := a.d.Cause; c != nil && c.Kind == stackparse.CauseFatal && strings.Contains(c.Text, "concurrent map") &&
		a.busy() {
		return VerdictWatch, "may be the other side: the runtime names only the goroutine that noticed"
	}
	if a.d.Cause != nil && a.d.Cause.Kind == stackparse.CauseTestTimeout && a.alarm() {
		return VerdictInnocent, "raised the panic: go test's timeout"
	}
	if a.raised() {
		return VerdictInnocent, "raised the panic"
	}
	if !rules.Alive(a.d) && a.busy() {
		return VerdictInnocent, "busy when the process died for another reason"
	}
	if a.busy() && a.bucket.Class != stackparse.ClassRunning {
		if r := a.d.RoleOf(a.index); r != nil {
			return VerdictInnocent, "expected here: " + r.Doc
		}
	}
	if a.busy() && a.peerWaits() {
		return VerdictWatch, "at work, while others started by the same go statement wait"
	}
	if a.busy() && a.joined() {
		return VerdictWatch, "at work, while its starter waits for it to end"
	}
	switch a.act {
	case actWoken:
		return VerdictInnocent, "just woken from " + a.blocking()
	case actStarting:
		return VerdictInnocent, "not yet at its first line"
	case actDumper:
		return VerdictInnocent, "printing this dump"
	case actSyscall:
		return VerdictInnocent, "in a system call"
	case actLocks:
		return VerdictWatch, "trying to take a lock"
	case actSends:
		return VerdictWatch, "sending without waiting"
	case actLibrary:
		return VerdictWatch, a.works()
	}
	return VerdictWatch, "running: real work, or a spin"
}

// raised reports whether the goroutine is the one whose panic the dump is about, raised again or not.
func (a *active) raised() bool {
	if c := a.d.Cause; c == nil || rules.Alive(a.d) || a.goroutines[0].Flags&stackparse.FlagFirst == 0 {
		return false
	}
	return slices.ContainsFunc(a.bucket.Frames, func(f stackparse.Frame) bool {
		return f.Func == "panic" || f.Func == "runtime.gopanic"
	})
}

// alarm reports whether the goroutine is the timer of go test's flag -timeout, which panics.
func (a *active) alarm() bool {
	return slices.ContainsFunc(a.bucket.Frames, func(f stackparse.Frame) bool {
		return strings.HasPrefix(f.Func, "testing.(*M).startAlarm.")
	})
}

// blockingPackages are those of the standard library whose calls goroutines are parked in.
var blockingPackages = []string{"sync", "internal/sync", "internal/poll", "time"}

// blocking names what the goroutine was parked in: "sync.(*Cond).Wait", "a chan receive".
func (a *active) blocking() string {
	call := ""
	for _, i := range a.bucket.Shown {
		fn := a.bucket.Frames[i].Func
		if !slices.Contains(blockingPackages, symbol.PackageOf(fn)) {
			break
		}
		call = fn // the outermost: sync.(*Cond).Wait rather than what it calls
	}
	if call != "" {
		return call
	}
	switch c := a.bucket.Class; c {
	case stackparse.ClassChanReceive, stackparse.ClassChanSend, stackparse.ClassSelect, stackparse.ClassMutex,
		stackparse.ClassSleep:
		return "a " + string(c)
	}
	return "a wait"
}

// works identifies which library does the goroutine's work.
func (a *active) works() string {
	fn := a.bucket.Frames[a.outermostLibrary()].Func
	if i := strings.LastIndexByte(fn, '/'); i >= 0 {
		fn = fn[i+1:]
	}
	return fmt.Sprintf("working in %s", fn)
}

package spin

import (
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse/frame"
)

// tinyCalls are functions of the standard library that take nanoseconds and never block. A goroutine is caught in one
// by chance once in a thousand dumps where it does real work between two calls, and nearly always where it does not:
// what the program calls shows how it polls, whatever lies below the call.
var tinyCalls = map[string]act{
	"runtime.Gosched":           actYields,
	"time.Sleep":                actTimes,
	"time.After":                actTimes,
	"time.NewTimer":             actTimes,
	"time.NewTicker":            actTimes,
	"time.Tick":                 actTimes,
	"time.AfterFunc":            actTimes,
	"time.(*Timer).Stop":        actTimes,
	"time.(*Timer).Reset":       actTimes,
	"time.(*Ticker).Reset":      actTimes,
	"time.Now":                  actClock,
	"time.Since":                actClock,
	"time.Until":                actClock,
	"time.Time.Sub":             actClock,
	"time.Time.After":           actClock,
	"time.Time.Before":          actClock,
	"time.now":                  actClock, // called where Now and Since are inlined and not printed
	"time.runtimeNow":           actClock,
	"time.runtimeNano":          actClock,
	"time.runtimeNowSub":        actClock,
	"context.(*cancelCtx).Err":  actAsksContext,
	"context.(*cancelCtx).Done": actAsksContext,
	"context.(*timerCtx).Err":   actAsksContext,
	"context.(*timerCtx).Done":  actAsksContext,
	"context.(*valueCtx).Err":   actAsksContext,
	"context.(*valueCtx).Done":  actAsksContext,
	"context.Cause":             actAsksContext,
	"sync.(*Map).Load":          actLooksUp,
}

// tinyCall is the act of a program that calls fn.
func tinyCall(fn string) (act, bool) {
	if does, ok := tinyCalls[fn]; ok {
		return does, true
	}
	switch symbol.PackageOf(fn) {
	case "sync/atomic", "internal/runtime/atomic", "runtime/internal/atomic":
		return actAtomic, true
	case "sync":
		if strings.HasPrefix(fn, "sync.(*Mutex).") || strings.HasPrefix(fn, "sync.(*RWMutex).") {
			return actFastLock, true
		}
	case "internal/sync":
		// Where sync's method is inlined and a stripped table does not print it (1.24+).
		if strings.HasPrefix(fn, "internal/sync.(*Mutex).") {
			return actFastLock, true
		}
	}
	return actLibrary, false
}

// leafAct reads the act from the leaf: the program's own code, or what the program called.
func (a *active) leafAct() act {
	leaf := a.bucket.Frames[a.leaf]
	if !isLibrary(a.d, leaf.Frame) {
		if a.d.Program.Framework(leaf.Frame) {
			return actLibrary
		}
		return actOwn
	}
	does, _ := tinyCall(a.bucket.Frames[a.outermostLibrary()].Func)
	return does
}

// skipRuntime moves the leaf off a call that the runtime made itself, to the code that it worked for: an allocation
// yields when it owes the collector work (gcAssistAlloc calls Gosched, Go 1.5+), a sweep uses atomics.
func (a *active) skipRuntime() {
	frames := a.bucket.Frames
	if a.d.Program.Class(frames[a.leaf].Frame) != frame.ClassRuntime {
		return
	}
	caller := a.leaf + 1
	for caller < len(frames) && !strings.HasPrefix(frames[caller].Func, "runtime.") &&
		a.d.Program.Class(frames[caller].Frame) == frame.ClassRuntime {
		caller++ // internal/runtime/atomic and the like, one calling another
	}
	if caller >= len(frames) || !strings.HasPrefix(frames[caller].Func, "runtime.") ||
		frames[caller].Func == "runtime.goexit" {
		return
	}
	for _, i := range a.bucket.Shown {
		if i > a.leaf && frames[i].Func != "" && a.d.Program.Class(frames[i].Frame) != frame.ClassRuntime {
			a.leaf = i
			return
		}
	}
}

// outermostLibrary indexes the frame that the program's code called: time.After of time.After, time.NewTimer.
func (a *active) outermostLibrary() int {
	last := a.leaf
	for _, i := range a.bucket.Shown {
		if i < a.leaf || a.bucket.Frames[i].Elided != 0 {
			continue
		}
		if !isLibrary(a.d, a.bucket.Frames[i].Frame) {
			break
		}
		last = i
	}
	return last
}

// called names the function that the program called; the leaf where that is the program's own.
func (a *active) called() string { return a.bucket.Frames[a.outermostLibrary()].Func }

// leafIsLibrary reports whether the leaf belongs to the runtime, the standard library or a framework: the goroutine
// does someone's work.
func (a *active) leafIsLibrary() bool {
	f := a.bucket.Frames[a.leaf].Frame
	return isLibrary(a.d, f) || a.d.Program.Framework(f)
}

func isLibrary(d *rules.DumpInput, f frame.Frame) bool {
	return !rules.Blameable(d.Program.Class(f))
}

// runtimeWorks reports whether the runtime was at work for the leaf: it allocates, copies, sends. A loop that only
// looks at something does not; what it may do is compare, look up a map and be preempted.
func (a *active) runtimeWorks() bool {
	for i := range a.bucket.Frames[:a.leaf] {
		fn, ok := strings.CutPrefix(a.bucket.Frames[i].Func, "runtime.")
		if !ok {
			continue
		}
		switch fn {
		case "asyncPreempt", "asyncPreempt2", "mcall", "gopreempt_m", "goschedImpl", "gosched_m", "gopark", "morestack",
			"newstack", "systemstack_switch", "chanlen", "chancap", "memequal", "efaceeq", "ifaceeq", "strequal",
			"interequal", "nilinterequal":
			continue
		}
		if !strings.HasPrefix(fn, "mapaccess") && !strings.HasPrefix(fn, "typeAssert") && !strings.HasPrefix(fn,
			"assertE2I") {
			return true
		}
	}
	return false
}

// calledBack reports whether a library that works through something it was given called the program's function: a
// sort's comparison, a decoder's method. The loop is the library's, and ends with its input.
func (a *active) calledBack() bool {
	called := a.outermostLibrary() // what the program calls there may call itself
	for _, i := range a.bucket.Shown {
		f := a.bucket.Frames[i]
		if i <= called || f.Elided != 0 || a.d.Program.Class(f.Frame) != frame.ClassStdlib ||
			a.d.Program.Framework(f.Frame) {
			continue
		}
		switch pkg, _, _ := strings.Cut(symbol.PackageOf(f.Func), "/"); pkg {
		case "sync", "time", "context", "os", "net", "testing", "runtime", "internal", "log", "expvar", "flag":
			// they start what runs for as long as it likes
		default:
			return true
		}
	}
	return false
}

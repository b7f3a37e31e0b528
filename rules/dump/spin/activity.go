package spin

import (
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// An act is what a goroutine does that is running or runnable. A dump stops the world, so all that were on a CPU show
// as runnable; the frames show who computed, who had just been woken, and who polls.
type act uint8

const (
	actSystem      act = iota // the runtime's own
	actWoken                  // a blocking call is on top: it was just made ready
	actStarting               // has not run its first line yet
	actDumper                 // prints this dump
	actSyscall                // in a system call or in C
	actYields                 // runtime.Gosched on top
	actPolls                  // a non-blocking channel operation on top: a receive with default, len
	actSends                  // a non-blocking send on top: a broker that drops what does not fit is mostly there
	actReceives               // in a channel receive that did not have to wait
	actAsksContext            // asks a context whether it has ended
	actTimes                  // makes or starts a timer
	actClock                  // reads the clock
	actAtomic                 // an atomic operation on top
	actLooksUp                // looks something up in a sync.Map
	actFastLock               // in a lock's fast path: the lock is free
	actLocks                  // spins in a mutex' slow path
	actOwn                    // computes in a function of the program or a dependency
	actLibrary                // computes in the standard library, called by the program
	actNoStack                // on a CPU, and could not be stopped: no stack
)

// active are the goroutines of one bucket that are running or runnable and do the same.
type active struct {
	d          *rules.DumpInput
	bucket     *stackparse.Bucket
	index      int // of the bucket in its dump
	goroutines []stackparse.Goroutine
	act        act
	leaf       int // index into bucket.Frames of the first frame that counts, -1 for none
}

// busy reports whether these goroutines compute: nothing that they wait for, no housekeeping.
func (a *active) busy() bool { return a.act >= actSyscall }

// activity lists the running and runnable goroutines of a dump, in order of its buckets. Nobody changes it.
func activity(d *rules.DumpInput) []active { return activityOf.Of(d) }

var activityOf = rules.DerivedOfDump(func(d *rules.DumpInput) []active {
	var all []active
	for i, b := range d.Buckets {
		if b.Active == 0 {
			continue
		}
		gs := rules.GoroutinesWhere(b, func(g *stackparse.Goroutine) bool {
			return stackparse.Runnable(d.StateOf(g)) && g.Flags&stackparse.FlagG0 == 0
		})
		if len(gs) > 0 {
			a := active{d: d, bucket: b, index: i, goroutines: gs, leaf: -1}
			a.act = a.classify()
			all = append(all, a)
		}
	}
	return all
})

func (a *active) classify() act {
	b := a.bucket
	g := &a.goroutines[0]
	if g.Flags&stackparse.FlagNoStack != 0 || len(b.Frames) == 0 {
		if b.CreatedBy != nil && a.d.Program.Class(b.CreatedBy.Frame) == frame.ClassRuntime {
			return actSystem
		}
		return actNoStack
	}
	for _, i := range b.Shown {
		if b.Frames[i].Func != "" {
			a.leaf = i
			break
		}
	}
	if a.leaf < 0 || a.isSystem() {
		return actSystem
	}
	if printsDump(b.Frames) || a.d.Format == stackparse.FormatDebug2 && g.Flags&stackparse.FlagFirst != 0 &&
		a.d.StateOf(g) == "running" {
		return actDumper // runtime.Stack stops all others, so that they show as runnable
	}
	a.skipRuntime()
	if c := a.runtimeAct(); c != actOwn {
		return c
	}
	return a.leafAct()
}

// isSystem reports whether the goroutine runs nothing but the runtime.
func (a *active) isSystem() bool {
	for _, i := range a.bucket.Shown {
		f := a.bucket.Frames[i].Frame
		if a.d.Program.Class(f) != frame.ClassRuntime || f.Func == "panic" {
			return false
		}
	}
	return true
}

// printsDump recognises the goroutine that asked for the dump: runtime.Stack and those who call it.
func printsDump(frames []stackparse.Frame) bool {
	for i := range frames[:min(len(frames), 6)] {
		switch fn := frames[i].Func; {
		case fn == "runtime.Stack", fn == "runtime/debug.Stack", fn == "runtime/debug.PrintStack", strings.HasPrefix(fn,
			"runtime/pprof.writeGoroutine"), strings.HasPrefix(fn, "runtime/pprof.(*Profile).WriteTo"),
			strings.HasSuffix(fn, "klog/v2.stacks"), strings.HasSuffix(fn, "klog.stacks"), strings.HasSuffix(fn,
				"glog.stacks"), strings.HasPrefix(fn, "runtime.goroutineProfile"):
			return true
		}
	}
	return false
}

// runtimeAct is what the runtime's own frames at the leaf show; actOwn where they show nothing.
func (a *active) runtimeAct() act {
	frames := a.bucket.Frames
	detailed := hasRuntimeFrames(frames)
	for i := 0; i < len(frames) && i < 8; i++ {
		fn := frames[i].Func
		switch fn {
		case "runtime.gopark", "runtime.park_m", "runtime.mcall":
			return a.parked()
		case "runtime.selectnbsend":
			return a.unlessLibrary(actSends)
		case "runtime.selectnbrecv", "runtime.chanlen", "runtime.chancap":
			return a.unlessLibrary(actPolls)
		case "runtime.selectgo", "runtime.selectgoImpl":
			if detailed { // parked goroutines have gopark above it
				return a.unlessLibrary(actPolls)
			}
			return actWoken
		case "runtime.chanrecv", "runtime.chanrecv1", "runtime.chanrecv2":
			if detailed {
				return a.unlessLibrary(actReceives)
			}
			return actWoken
		case "sync.runtime_doSpin", "internal/sync.runtime_doSpin", "sync.(*Mutex).lockSlow",
			"internal/sync.(*Mutex).lockSlow":
			if detailed {
				return actLocks
			}
			return actWoken
		}
		if !strings.HasPrefix(fn, "runtime.") && !strings.HasPrefix(fn, "sync.") && !strings.HasPrefix(fn,
			"internal/sync.") {
			break
		}
	}
	switch a.bucket.Class {
	case stackparse.ClassSyscall, stackparse.ClassCgo:
		return actSyscall
	case stackparse.ClassRunnable, stackparse.ClassRunning, stackparse.ClassGC, stackparse.ClassOther:
		if a.notStarted() {
			return actStarting
		}
		return actOwn
	case stackparse.ClassSleep:
		if detailed {
			return actTimes // in time.Sleep, and not parked there
		}
	}
	if detailed {
		return actOwn
	}
	return actWoken
}

// parked describes what a goroutine with gopark on top was doing: it waits for something and was just made ready.
// Waiting for the collector is no act of its own: what was it doing when it had to?
func (a *active) parked() act {
	if a.bucket.Class == stackparse.ClassGC {
		return actOwn
	}
	return actWoken
}

// unlessLibrary is the act where the program itself does it; what a library does inside is its own business (a pipe's
// write is a select).
func (a *active) unlessLibrary(does act) act {
	if a.leafIsLibrary() {
		return actLibrary
	}
	return does
}

// hasRuntimeFrames reports whether the stack was printed with the runtime's own frames (a signal's dump, 1.19+).
func hasRuntimeFrames(frames []stackparse.Frame) bool {
	for i := len(frames) - 1; i >= 0 && i >= len(frames)-2; i-- {
		switch frames[i].Func {
		case "runtime.goexit", "runtime.main", "runtime.rt0_go", "runtime.mstart":
			return true
		}
	}
	return false
}

// notStarted recognises a goroutine that was created and has not run yet: nothing of it but its entry, at its first
// instruction. Entries that the compiler wrapped are no function of the program: gowrap, and before Go 1.22 a closure
// on the go statement's own line, which a program's own code may have for a loop of one line.
func (a *active) notStarted() bool {
	by := a.bucket.CreatedBy
	for _, i := range a.bucket.Shown {
		f := &a.bucket.Frames[i]
		if by != nil && f.Line == by.Line && f.File == by.File && strings.HasPrefix(f.Func, by.Func+".func") &&
			a.d.Program.Class(f.Frame) == frame.ClassStdlib {
			continue
		}
		name := f.Func[strings.LastIndexByte(f.Func, '.')+1:]
		if f.Func == "runtime.goexit" || strings.HasPrefix(name, "gowrap") || strings.HasPrefix(name, "deferwrap") {
			continue
		}
		return false
	}
	return true
}

// alone reports whether one goroutine is all that computes in its dump, and hardly any other was about to. A busy
// process shows 5 to 30 that compute or were just woken when it is stopped (the measured range of healthy servers under
// load), an idle one none: a single one among parked neighbours is conspicuous.
func alone(all []active) bool { return computing(all) == 1 && woken(all) <= maxCrowd }

// computing counts the goroutines that are busy.
func computing(all []active) int { return count(all, (*active).busy) }

// woken counts the goroutines that were just made ready.
func woken(all []active) int {
	return count(all, func(a *active) bool { return a.act == actWoken || a.act == actStarting })
}

func count(all []active, which func(*active) bool) int {
	n := 0
	for i := range all {
		if which(&all[i]) {
			n += len(all[i].goroutines)
		}
	}
	return n
}

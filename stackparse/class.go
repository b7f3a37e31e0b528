package stackparse

import (
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/symbol"
)

// classOf returns what a goroutine does, from its leaf frames first and the state's text second. state is "" where the
// format has none (counted profiles).
func classOf(frames []Frame, state string) Class {
	switch c := classOfFrames(frames); {
	case strings.HasSuffix(state, "(nil chan)"), sendsOnNil(frames):
		return ClassNilChan
	case strings.HasSuffix(state, "(no cases)"):
		return ClassNoCases
	case c != "":
		return c
	}
	return classOfState(state)
}

// nilSends are the lines of runtime/chan.go at which chansend parks a goroutine for a nil channel, in Go 1.12 to 1.27.
// The line for any other channel lies about a hundred below and is none of these in any release. Receives are left out,
// as in text profiles: context.Background's Done channel is nil, and without states and creators nothing shows what
// waits for it on purpose.
var nilSends = []int{147, 163, 164, 165, 176, 181}

// sendsOnNil reports a goroutine of a binary profile, which has the runtime's frames and no states, that sends on a nil
// channel.
func sendsOnNil(frames []Frame) bool {
	if len(frames) < 2 || frames[0].Func != "runtime.gopark" || frames[1].Func != "runtime.chansend" {
		return false
	}
	return slices.Contains(nilSends, frames[1].Line) && strings.HasSuffix(frames[1].File, "runtime/chan.go")
}

// leafClasses maps the functions that a goroutine blocks or works in to its class. Names by release: sync's internals
// moved to internal/sync in 1.24, pollWait from net to internal/poll in 1.9, selectgoImpl became selectgo in 1.11,
// runfinq became runFinalizers in 1.25.
var leafClasses = classesByName(map[Class]string{
	ClassChanSend:    "runtime.chansend runtime.chansend1",
	ClassChanReceive: "runtime.chanrecv runtime.chanrecv1 runtime.chanrecv2",
	ClassSelect:      "runtime.selectgo runtime.selectgoImpl",
	ClassNoCases:     "runtime.block",
	ClassRunnable: "runtime.selectnbsend runtime.selectnbrecv runtime.Gosched runtime.asyncPreempt " +
		"runtime.asyncPreempt2",
	ClassMutex: "sync.(*Mutex).lockSlow sync.(*Mutex).Lock internal/sync.(*Mutex).lockSlow " +
		"internal/sync.(*Mutex).Lock",
	ClassRWMutexR:  "sync.(*RWMutex).RLock sync.(*RWMutex).rLockSlow sync.runtime_SemacquireRWMutexR",
	ClassRWMutexW:  "sync.(*RWMutex).Lock sync.runtime_SemacquireRWMutex",
	ClassWaitGroup: "sync.(*WaitGroup).Wait sync.runtime_SemacquireWaitGroup",
	ClassCond:      "sync.(*Cond).Wait sync.runtime_notifyListWait",
	ClassSemaphore: "sync.runtime_Semacquire sync.runtime_SemacquireMutex internal/sync.runtime_SemacquireMutex " +
		"internal/poll.runtime_Semacquire",
	ClassSleep: "time.Sleep",
	ClassIO:    "internal/poll.runtime_pollWait net.runtime_pollWait",
	ClassCgo:   "runtime.cgocall",
	ClassSyscall: "syscall.Syscall syscall.Syscall6 syscall.RawSyscall6 runtime/internal/syscall.Syscall6 " +
		"internal/runtime/syscall.Syscall6 internal/runtime/syscall/linux.Syscall6 runtime.notetsleepg",
	ClassGC: "runtime.gcAssistAlloc runtime.gcStart runtime.GC",
	ClassIdle: "runtime.gcBgMarkWorker runtime.bgsweep runtime.bgscavenge runtime.forcegchelper runtime.runfinq " +
		"runtime.runFinalizers runtime.runCleanups runtime.timerproc runtime.ReadTrace " +
		"runtime.updateMaxProcsGoroutine",
})

// classesByName turns a table of names, with blanks between them, into a map.
func classesByName(table map[Class]string) map[string]Class {
	classes := map[string]Class{}
	for class, names := range table {
		for name := range strings.FieldsSeq(names) {
			classes[name] = class
		}
	}
	return classes
}

// classOfFrames looks at the leaf frames up to the first that belongs to neither the runtime nor the packages that
// block for others. The last match wins: RWMutex.Lock lies around Mutex.Lock, which a second writer queues in.
func classOfFrames(frames []Frame) Class {
	var class Class
	for i := range frames {
		f := &frames[i]
		if c, ok := leafClasses[f.Func]; ok {
			if class == "" || c != ClassSemaphore && class != ClassRunnable {
				class = c
			}
			continue
		}
		if !symbol.WaitsForOthers(f.Func) {
			break
		}
	}
	return class
}

// stateClasses are the wait reasons of Go 1.2 to 1.27 (runtime.waitReasonStrings) with their classes.
var stateClasses = map[string]Class{
	"running":  ClassRunning,
	"runnable": ClassRunnable, "preempted": ClassRunnable, "copystack": ClassRunnable,
	"syscall": ClassSyscall, "waiting for cgo callback": ClassSyscall,
	"select": ClassSelect, "select (durable)": ClassSelect, "select (synctest)": ClassSelect,
	"chan receive": ClassChanReceive, "chan receive (synctest)": ClassChanReceive,
	"chan receive (durable)": ClassChanReceive,
	"chan send":              ClassChanSend, "chan send (synctest)": ClassChanSend,
	"chan send (durable)": ClassChanSend,
	"semacquire":          ClassSemaphore, "semarelease": ClassSemaphore,
	"sync.Mutex.Lock": ClassMutex, "sync.RWMutex.RLock": ClassRWMutexR, "sync.RWMutex.Lock": ClassRWMutexW,
	"sync.WaitGroup.Wait": ClassWaitGroup, "sync.Cond.Wait": ClassCond, "IO wait": ClassIO, "sleep": ClassSleep,
	"idle": ClassIdle, "finalizer wait": ClassIdle, "cleanup wait": ClassIdle, "GOMAXPROCS updater (idle)": ClassIdle,
	"force gc (idle)": ClassIdle, "GC worker (idle)": ClassIdle, "GC sweep wait": ClassIdle,
	"GC scavenge wait": ClassIdle, "timer goroutine (idle)": ClassIdle, "trace reader (blocked)": ClassIdle,
	"mark wait (idle)": ClassIdle, "wait for GC cycle": ClassGC, "stopping the world": ClassGC,
	"Concurrent GC wait": ClassGC,
}

func classOfState(state string) Class {
	if c, ok := stateClasses[state]; ok {
		return c
	}
	if strings.HasPrefix(state, "GC ") || strings.HasPrefix(state, "garbage collection") {
		return ClassGC
	}
	return ClassOther
}

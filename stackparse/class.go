package stackparse

import "strings"

// classOf returns what a goroutine does, from its leaf frames first and the state's text second. state is "" where the
// format has none (counted profiles).
func classOf(frames []Frame, state string) Class {
	if c := classOfFrames(frames); c != "" {
		return refine(c, state)
	}
	return classOfState(state)
}

// refine corrects a class from frames by what only the state contains: a nil channel, an empty select.
func refine(c Class, state string) Class {
	switch {
	case strings.HasSuffix(state, "(nil chan)"):
		return ClassNilChan
	case strings.HasSuffix(state, "(no cases)"):
		return ClassNoCases
	}
	return c
}

// leafClasses maps the functions that a goroutine blocks or works in to its class. Names by release: sync's
// internals moved to internal/sync in 1.24, pollWait from net to internal/poll in 1.9, selectgoImpl became selectgo
// in 1.11, runfinq became runFinalizers in 1.25.
var leafClasses = map[string]Class{
	"runtime.chansend":                        ClassChanSend,
	"runtime.chansend1":                       ClassChanSend,
	"runtime.chanrecv":                        ClassChanReceive,
	"runtime.chanrecv1":                       ClassChanReceive,
	"runtime.chanrecv2":                       ClassChanReceive,
	"runtime.selectgo":                        ClassSelect,
	"runtime.selectgoImpl":                    ClassSelect,
	"runtime.block":                           ClassNoCases,
	"runtime.selectnbsend":                    ClassRunnable,
	"runtime.selectnbrecv":                    ClassRunnable,
	"runtime.Gosched":                         ClassRunnable,
	"runtime.asyncPreempt":                    ClassRunnable,
	"runtime.asyncPreempt2":                   ClassRunnable,
	"sync.(*Mutex).lockSlow":                  ClassMutex,
	"sync.(*Mutex).Lock":                      ClassMutex,
	"internal/sync.(*Mutex).lockSlow":         ClassMutex,
	"internal/sync.(*Mutex).Lock":             ClassMutex,
	"sync.(*RWMutex).RLock":                   ClassRWMutexR,
	"sync.(*RWMutex).rLockSlow":               ClassRWMutexR,
	"sync.(*RWMutex).Lock":                    ClassRWMutexW,
	"sync.runtime_SemacquireRWMutexR":         ClassRWMutexR,
	"sync.runtime_SemacquireRWMutex":          ClassRWMutexW,
	"sync.(*WaitGroup).Wait":                  ClassWaitGroup,
	"sync.runtime_SemacquireWaitGroup":        ClassWaitGroup,
	"sync.(*Cond).Wait":                       ClassCond,
	"sync.runtime_notifyListWait":             ClassCond,
	"sync.runtime_Semacquire":                 ClassSemaphore,
	"sync.runtime_SemacquireMutex":            ClassSemaphore,
	"internal/sync.runtime_SemacquireMutex":   ClassSemaphore,
	"internal/poll.runtime_Semacquire":        ClassSemaphore,
	"time.Sleep":                              ClassSleep,
	"internal/poll.runtime_pollWait":          ClassIO,
	"net.runtime_pollWait":                    ClassIO,
	"runtime.cgocall":                         ClassCgo,
	"syscall.Syscall":                         ClassSyscall,
	"syscall.Syscall6":                        ClassSyscall,
	"syscall.RawSyscall6":                     ClassSyscall,
	"runtime/internal/syscall.Syscall6":       ClassSyscall,
	"internal/runtime/syscall.Syscall6":       ClassSyscall,
	"internal/runtime/syscall/linux.Syscall6": ClassSyscall,
	"runtime.notetsleepg":                     ClassSyscall,
	"runtime.gcAssistAlloc":                   ClassGC,
	"runtime.gcStart":                         ClassGC,
	"runtime.GC":                              ClassGC,
	"runtime.gcBgMarkWorker":                  ClassIdle,
	"runtime.bgsweep":                         ClassIdle,
	"runtime.bgscavenge":                      ClassIdle,
	"runtime.forcegchelper":                   ClassIdle,
	"runtime.runfinq":                         ClassIdle,
	"runtime.runFinalizers":                   ClassIdle,
	"runtime.runCleanups":                     ClassIdle,
	"runtime.timerproc":                       ClassIdle,
	"runtime.ReadTrace":                       ClassIdle,
	"runtime.updateMaxProcsGoroutine":         ClassIdle,
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
		if !blocksForOthers(f.Func) {
			break
		}
	}
	return class
}

func blocksForOthers(fn string) bool {
	for _, prefix := range [...]string{"runtime.", "internal/runtime/", "runtime/internal/", "sync.", "internal/sync.", "internal/poll.runtime_"} {
		if strings.HasPrefix(fn, prefix) {
			return true
		}
	}
	return false
}

// classOfState maps the wait reasons of Go 1.2 to 1.27 (runtime.waitReasonStrings).
func classOfState(state string) Class {
	switch state {
	case "running":
		return ClassRunning
	case "runnable", "preempted", "copystack":
		return ClassRunnable
	case "syscall", "waiting for cgo callback":
		return ClassSyscall
	case "select", "select (durable)", "select (synctest)":
		return ClassSelect
	case "select (no cases)":
		return ClassNoCases
	case "chan receive", "chan receive (synctest)", "chan receive (durable)":
		return ClassChanReceive
	case "chan send", "chan send (synctest)", "chan send (durable)":
		return ClassChanSend
	case "chan receive (nil chan)", "chan send (nil chan)":
		return ClassNilChan
	case "semacquire", "semarelease":
		return ClassSemaphore
	case "sync.Mutex.Lock":
		return ClassMutex
	case "sync.RWMutex.RLock":
		return ClassRWMutexR
	case "sync.RWMutex.Lock":
		return ClassRWMutexW
	case "sync.WaitGroup.Wait":
		return ClassWaitGroup
	case "sync.Cond.Wait":
		return ClassCond
	case "IO wait":
		return ClassIO
	case "sleep":
		return ClassSleep
	case "idle", "finalizer wait", "cleanup wait", "GOMAXPROCS updater (idle)", "force gc (idle)", "GC worker (idle)",
		"GC sweep wait", "GC scavenge wait", "timer goroutine (idle)", "trace reader (blocked)", "mark wait (idle)":
		return ClassIdle
	}
	if strings.HasPrefix(state, "GC ") || strings.HasPrefix(state, "garbage collection") ||
		state == "wait for GC cycle" || state == "stopping the world" || state == "Concurrent GC wait" {
		return ClassGC
	}
	return ClassOther
}

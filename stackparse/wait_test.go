package stackparse

import (
	"strings"
	"testing"
)

func TestWait_AddressPerPrimitiveAndRelease(t *testing.T) {
	tests := []struct {
		name, state string
		calls       []string
		want        uint64
	}{
		{"Mutex up to 1.12", "semacquire", []string{"sync.runtime_SemacquireMutex(0xc0000140e4, 0x0)", "sync.(*Mutex).Lock(0xc0000140e0)", "main.f()"}, 0xc0000140e0},
		{"Mutex 1.13 to 1.23", "semacquire", []string{"sync.runtime_SemacquireMutex(0xc0000140e4, 0x0, 0x1)", "sync.(*Mutex).lockSlow(0xc0000140e0)", "sync.(*Mutex).Lock(...)", "main.f()"}, 0xc0000140e0},
		{"Mutex 1.20 debug=2, stale words", "sync.Mutex.Lock", []string{"sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)", "sync.(*Mutex).lockSlow(0xc0000140e0)", "sync.(*Mutex).Lock(...)", "main.f()"}, 0xc0000140e0},
		{"Mutex since 1.24", "sync.Mutex.Lock", []string{"internal/sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)", "internal/sync.(*Mutex).lockSlow(0xc0000140e0)", "internal/sync.(*Mutex).Lock(...)", "sync.(*Mutex).Lock(...)", "main.f()"}, 0xc0000140e0},
		{"Mutex of a signal's dump", "sync.Mutex.Lock", []string{"runtime.gopark(0x0?, 0x0?, 0x0?, 0x0?, 0x0?)", "runtime.goparkunlock(...)", "runtime.semacquire1(0xc0000140e4, 0x0, 0x3, 0x2, 0x15)",
			"internal/sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)", "internal/sync.(*Mutex).lockSlow(0xc0000140e0)", "internal/sync.(*Mutex).Lock(...)", "sync.(*Mutex).Lock(...)", "main.f()"}, 0xc0000140e0},
		{"RWMutex reader up to 1.19", "semacquire", []string{"sync.runtime_SemacquireMutex(0xc0000140ec, 0x0, 0x0)", "sync.(*RWMutex).RLock(...)", "main.f()"}, 0xc0000140e0},
		{"RWMutex reader since 1.20", "sync.RWMutex.RLock", []string{"runtime.gopark(0x0?)", "runtime.goparkunlock(...)", "runtime.semacquire1(0xc0000140ec, 0x0, 0x2, 0x0, 0x16)", "sync.runtime_SemacquireRWMutexR(0x0?, 0x0?, 0x0?)", "sync.(*RWMutex).RLock(...)", "main.f()"}, 0xc0000140e0},
		{"RWMutex writer since 1.20", "sync.RWMutex.Lock", []string{"runtime.gopark(0x0?)", "runtime.goparkunlock(...)", "runtime.semacquire1(0xc0000140e8, 0x0, 0x2, 0x0, 0x17)", "sync.runtime_SemacquireRWMutex(0x0?, 0x0?, 0x0?)", "sync.(*RWMutex).Lock(0x0?)", "main.f()"}, 0xc0000140e0},
		{"RWMutex writer in the queue", "sync.Mutex.Lock", []string{"internal/sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)", "internal/sync.(*Mutex).lockSlow(0xc0000140e0)", "internal/sync.(*Mutex).Lock(...)", "sync.(*Mutex).Lock(...)", "sync.(*RWMutex).Lock(0xc0000140e0)", "main.f()"}, 0xc0000140e0},
		{"channel receive", "chan receive", []string{"runtime.gopark(0x0?)", "runtime.chanrecv(0xc000018300, 0x0, 0x1)", "runtime.chanrecv1(0x0?, 0x0?)", "main.f()"}, 0xc000018300},
		{"channel send", "chan send", []string{"runtime.gopark(0x0?)", "runtime.chansend(0xc000018300, 0xc1, 0x1, 0x0?)", "runtime.chansend1(0x0?, 0x0?)", "main.f()"}, 0xc000018300},
		{"channel, nothing printed", "chan receive", []string{"main.f(0xc000018300)"}, 0},
		{"Cond", "sync.Cond.Wait", []string{"sync.runtime_notifyListWait(0xc000020050, 0x0)", "sync.(*Cond).Wait(0x0?)", "main.f()"}, 0xc000020050},
		{"WaitGroup", "sync.WaitGroup.Wait", []string{"sync.runtime_SemacquireWaitGroup(0xc000020008?)", "sync.(*WaitGroup).Wait(0xc000020000)", "main.f()"}, 0},
		{"WaitGroup of a signal's dump", "semacquire", []string{"runtime.gopark(0x0?)", "runtime.goparkunlock(...)", "runtime.semacquire1(0xc000020008, 0x0, 0x1, 0x0, 0x12)", "sync.runtime_Semacquire(0x0?)", "sync.(*WaitGroup).Wait(0x0?)", "main.f()"}, 0xc000020008},
		{"poll", "IO wait", []string{"internal/poll.runtime_pollWait(0x7f3a5c0, 0x72)", "internal/poll.(*pollDesc).wait(0x0?)", "main.f()"}, 0x7f3a5c0},
		{"poll up to 1.8", "IO wait", []string{"net.runtime_pollWait(0x7f3a5c0, 0x72, 0x0)", "net.(*pollDesc).wait(0x1)", "main.f()"}, 0x7f3a5c0},
		{"a word that may be stale", "chan receive", []string{"runtime.chanrecv(0xc000018300?, 0x0, 0x1)", "main.f()"}, 0},
		{"a word of more than 64 bits", "chan receive", []string{"runtime.chanrecv(0x1c000018300c00001, 0x0, 0x1)", "main.f()"}, 0},
		{"an inlined call", "chan receive", []string{"runtime.chanrecv(...)", "main.f()"}, 0},
		{"select has none", "select", []string{"runtime.selectgo(0xc0, 0xc1, 0x0, 0x0, 0x2, 0x1)", "main.f()"}, 0},
		{"deeper than is looked", "chan receive", []string{"main.a()", "main.b()", "main.c()", "main.d()", "main.e()", "main.g()", "main.h()", "main.i()", "runtime.chanrecv(0x1, 0x0)"}, 0},
		{"a semaphore below 8 is none", "sync.RWMutex.Lock", []string{"runtime.semacquire1(0x4, 0x0)", "sync.(*RWMutex).Lock(0x0?)", "main.f()"}, 0},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			// A second goroutine of the stack waits for something else, and a first of another stack comes before.
			second := strings.NewReplacer("0xc0000140", "0xc0000990", "0xc00001830", "0xc00009930", "0xc0000200", "0xc0000990", "0x7f3a5c0", "0x7f3a990")
			d := parseOne(t, goroutineText("4", "select", "main.other(0x1, 0x2)")+goroutineText("5", test.state, test.calls...)+second.Replace(goroutineText("6", test.state, test.calls...)))
			got := map[uint64]uint64{}
			for _, b := range d.Buckets {
				for _, g := range b.Goroutines {
					got[g.ID] = g.Wait
				}
			}
			if got[5] != test.want {
				t.Errorf("waits for %#x, want %#x", got[5], test.want)
			}
			if test.want != 0 && (got[6] == got[5] || got[6] == 0) {
				t.Errorf("the neighbour waits for %#x too", got[6])
			}
			if got[4] != 0 {
				t.Errorf("the other waits for %#x", got[4])
			}
		})
	}
}

func TestClass_FramesComeBeforeTheState(t *testing.T) {
	tests := []struct {
		name, state string
		calls       []string
		want        Class
	}{
		{"Mutex as semacquire", "semacquire", []string{"sync.runtime_SemacquireMutex(0x1)", "sync.(*Mutex).Lock(0x1)", "main.f()"}, ClassMutex},
		{"RWMutex reader as semacquire", "semacquire", []string{"sync.runtime_Semacquire(0x1)", "sync.(*RWMutex).RLock(0x1)", "main.f()"}, ClassRWMutexR},
		{"RWMutex writer as Mutex", "sync.Mutex.Lock", []string{"sync.(*Mutex).lockSlow(0x1)", "sync.(*Mutex).Lock(...)", "sync.(*RWMutex).Lock(0x1)", "main.f()"}, ClassRWMutexW},
		{"WaitGroup as semacquire", "semacquire", []string{"sync.runtime_Semacquire(0x1)", "sync.(*WaitGroup).Wait(0x1)", "main.f()"}, ClassWaitGroup},
		{"Cond as semacquire", "semacquire", []string{"sync.runtime_Syncsemacquire(0x1)", "sync.(*Cond).Wait(0x1)", "main.f()"}, ClassCond},
		{"a woken waiter", "runnable", []string{"sync.runtime_notifyListWait(0x1)", "sync.(*Cond).Wait(0x1)", "main.f()"}, ClassCond},
		{"a woken sleeper", "runnable", []string{"time.Sleep(0x1)", "main.f()"}, ClassSleep},
		{"a spinner that yields", "runnable", []string{"runtime.Gosched(...)", "main.f()"}, ClassRunnable},
		{"a preempted spinner", "runnable", []string{"runtime.asyncPreempt2()", "runtime.asyncPreempt()", "main.f()"}, ClassRunnable},
		{"a poller of channels", "runnable", []string{"runtime.chanrecv(0x1)", "runtime.selectnbrecv(0x1)", "main.f()"}, ClassRunnable},
		{"its own code", "runnable", []string{"main.f()", "sync.(*Mutex).Lock(0x1)"}, ClassRunnable},
		{"running", "running", []string{"main.f()"}, ClassRunning},
		{"a lock far below", "select", []string{"main.f()", "sync.(*Mutex).Lock(0x1)"}, ClassSelect},
		{"nil channel", "chan receive (nil chan)", []string{"runtime.chanrecv(0x0)", "main.f()"}, ClassNilChan},
		{"select {}", "select (no cases)", []string{"runtime.block()", "main.f()"}, ClassNoCases},
		{"system call", "syscall", []string{"syscall.Syscall6(0x1)", "main.f()"}, ClassSyscall},
		{"cgo", "syscall", []string{"runtime.cgocall(0x1)", "main._Cfunc_f()"}, ClassCgo},
		{"poll", "IO wait", []string{"internal/poll.runtime_pollWait(0x1)", "main.f()"}, ClassIO},
	}
	for _, test := range tests {
		if got := parseOne(t, goroutineText("5", test.state, test.calls...)).Buckets[0].Class; got != test.want {
			t.Errorf("%s: %s, want %s", test.name, got, test.want)
		}
	}
}

func TestClass_OfAMixedBucketIsTheWaitersNotTheWokens(t *testing.T) {
	for _, states := range [][2]string{{"runnable", "select"}, {"select", "runnable"}, {"running", "select"}} {
		d := parseOne(t, goroutineText("5", states[0], "main.f()")+goroutineText("6", states[1], "main.f()"))
		if got := d.Buckets[0].Class; len(d.Buckets) != 1 || got != ClassSelect {
			t.Errorf("%v: %s", states, got)
		}
	}
}

// Every wait reason and basic state of Go 1.2 to 1.27 (runtime.waitReasonStrings, gStatusStrings), as a header prints
// it, of a goroutine with frames that show nothing.
func TestClass_OfEveryStateText(t *testing.T) {
	want := map[Class][]string{
		ClassRunning:     {"running"},
		ClassRunnable:    {"runnable", "preempted", "copystack"},
		ClassSyscall:     {"syscall", "waiting for cgo callback"},
		ClassSelect:      {"select", "select (durable)", "select (synctest)"},
		ClassNoCases:     {"select (no cases)"},
		ClassChanReceive: {"chan receive", "chan receive (durable)", "chan receive (synctest)"},
		ClassChanSend:    {"chan send", "chan send (durable)", "chan send (synctest)"},
		ClassNilChan:     {"chan receive (nil chan)", "chan send (nil chan)"},
		ClassSemaphore:   {"semacquire", "semarelease"},
		ClassMutex:       {"sync.Mutex.Lock"},
		ClassRWMutexR:    {"sync.RWMutex.RLock"},
		ClassRWMutexW:    {"sync.RWMutex.Lock"},
		ClassWaitGroup:   {"sync.WaitGroup.Wait", "sync.WaitGroup.Wait (durable)"},
		ClassCond:        {"sync.Cond.Wait"},
		ClassIO:          {"IO wait"},
		ClassSleep:       {"sleep"},
		ClassIdle: {"idle", "finalizer wait", "cleanup wait", "GOMAXPROCS updater (idle)", "force gc (idle)", "GC worker (idle)", "GC sweep wait",
			"GC scavenge wait", "timer goroutine (idle)", "trace reader (blocked)", "mark wait (idle)"},
		ClassGC: {"GC assist marking", "GC assist wait", "GC mark termination", "GC weak to strong wait", "GC worker (active)", "garbage collection",
			"garbage collection scan", "wait for GC cycle", "stopping the world", "Concurrent GC wait"},
		ClassOther: {"coroutine", "debug call", "dumping heap", "flushing proc caches", "page trace flush", "panicwait", "trace goroutine status",
			"trace proc status", "stack split", "stack unsplit", "stack growth", "synctest.Wait", "synctest.Run", "enqueue", "dead", "???", "a state of a later release"},
	}
	for class, states := range want {
		for _, state := range states {
			d := parseOne(t, goroutineText("5", state, "main.f()"))
			if got := d.Buckets[0].Class; got != class {
				t.Errorf("%s: %s, want %s", state, got, class)
			}
		}
	}
}

func TestClass_LeakedIsAFactBesideTheState(t *testing.T) {
	d := parseOne(t, goroutineText("5", "chan send (leaked)", "main.f()"))
	b := d.Buckets[0]
	if !b.Leaked || b.Class != ClassChanSend || d.StateOf(&b.Goroutines[0]) != "chan send" {
		t.Errorf("leaked %v, class %s, state %s", b.Leaked, b.Class, d.StateOf(&b.Goroutines[0]))
	}
	if b := parseOne(t, goroutineText("5", "chan send", "main.f()")).Buckets[0]; b.Leaked {
		t.Error("a plain one is leaked")
	}
}

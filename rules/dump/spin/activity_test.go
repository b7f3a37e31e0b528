package spin

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// inDump reads a text as one dump of a process.
func inDump(t *testing.T, text string) *rules.DumpInput {
	t.Helper()
	dumps := dumptest.ParseDumps([]byte(text))
	if len(dumps) != 1 {
		t.Fatalf("%d dumps, want 1:\n%s", len(dumps), text)
	}
	roles := declared.Roles()
	d := &rules.DumpInput{Dump: dumps[0], Input: "dump.txt"}
	rulestest.Prepare([]*rules.DumpInput{d}, roles)
	return d
}

const parkedMain = "goroutine 1 [chan receive]:\nmain.main()\n\t/src/parcel/main.go:10 +0x1d\n\n"

// stackText writes a goroutine as a level 1 traceback does, or with the runtime's own frames (1.19+) where frames ends
// in runtime.goexit. Files are the standard library's for its functions and the program's for others.
func stackText(id int, state, frames string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "goroutine %d [%s]:\n", id, state)
	for i, fn := range strings.Fields(frames) {
		file := "/src/parcel/ship/ship.go"
		if !strings.Contains(strings.SplitN(fn, ".", 2)[0], "main") && !strings.HasPrefix(fn, "example.") &&
			!strings.HasPrefix(fn, "k8s.") {
			file = "/usr/local/go/src/" + symbol.PackageOf(fn) + "/x.go"
		}
		fmt.Fprintf(&b, "%s(0x1)\n\t%s:%d +0x1d\n", fn, file, 20+i)
	}
	b.WriteString("created by main.start\n\t/src/parcel/main.go:30 +0x5c\n\n")
	return b.String()
}

func TestActsOfRunnableGoroutines(t *testing.T) {
	const preempted = "runtime.asyncPreempt2 runtime.asyncPreempt "
	for _, tt := range []struct {
		claim, state, frames string
		want                 act
	}{
		{"its own function, preempted", "runnable", preempted + "main.loop runtime.goexit", actOwn},
		{"its own function, in a level 1 traceback", "runnable", "main.loop", actOwn},
		{"a dependency's function", "runnable", preempted + "example.com/dep.Walk main.loop runtime.goexit", actOwn},
		{"Gosched", "runnable", "runtime.Gosched main.loop runtime.goexit", actYields},
		{"Gosched that the runtime called for an allocation", "runnable", "runtime.Gosched runtime.gcAssistAlloc " +
			"runtime.mallocgc main.loop runtime.goexit", actOwn},
		{"the same where the runtime's frames are left out and a library allocates", "runnable", "runtime.Gosched " +
			"bytes.growSlice main.loop", actLibrary},
		{"an atomic of the runtime's own", "running", "internal/runtime/atomic.Xadd runtime.mallocgc main.loop " +
			"runtime.goexit", actOwn},
		{"a select that did not park", "runnable", "runtime.selectgo main.loop runtime.goexit", actPolls},
		{"a select that parked", "runnable", "runtime.gopark runtime.selectgo main.loop runtime.goexit", actWoken},
		{"a non-blocking receive", "runnable", preempted + "runtime.selectnbrecv main.loop runtime.goexit", actPolls},
		{"a non-blocking send", "runnable", "runtime.selectnbsend main.loop runtime.goexit", actSends},
		{"the length of a channel", "runnable", "runtime.chanlen main.loop runtime.goexit", actPolls},
		{"a select inside a library", "running", "runtime.selectgo io.(*pipe).write io.(*PipeWriter).Write main.loop " +
			"runtime.goexit", actLibrary},
		{"a receive that did not park", "runnable", "runtime.chanrecv runtime.chanrecv1 main.loop runtime.goexit",
			actReceives},
		{"a receive that parked", "runnable", "runtime.gopark runtime.chanrecv runtime.chanrecv1 main.loop " +
			"runtime.goexit", actWoken},
		{"a mutex that parked", "runnable", "runtime.gopark runtime.semacquire1 sync.runtime_SemacquireMutex " +
			"sync.(*Mutex).lockSlow main.loop runtime.goexit", actWoken},
		{"a mutex that parked, in a level 1 traceback", "runnable", "sync.runtime_SemacquireMutex " +
			"sync.(*Mutex).lockSlow sync.(*Mutex).Lock main.loop", actWoken},
		{"a mutex that spins before it parks", "runnable", preempted + "sync.(*Mutex).lockSlow main.loop " +
			"runtime.goexit", actLocks},
		{"a condition variable", "runnable", "sync.runtime_notifyListWait sync.(*Cond).Wait main.loop", actWoken},
		{"a connection", "runnable", "internal/poll.runtime_pollWait internal/poll.(*FD).Read net.(*conn).Read " +
			"main.loop", actWoken},
		{"a sleep, in a level 1 traceback", "runnable", "time.Sleep main.loop", actWoken},
		{"a sleep that parked", "runnable", "runtime.gopark time.Sleep main.loop runtime.goexit", actWoken},
		{"a sleep on its way into the timer", "runnable", "time.Sleep main.loop runtime.goexit", actTimes},
		{"a timer, whatever of it is on top", "runnable", preempted + "time.when time.NewTimer time.After main.loop " +
			"runtime.goexit", actTimes},
		{"the clock", "runnable", preempted + "time.now time.Now main.loop runtime.goexit", actClock},
		{"the clock, asked by a library", "runnable", preempted + "time.Now log.(*Logger).output main.loop " +
			"runtime.goexit", actLibrary},
		{"a free lock", "runnable", "sync.(*Mutex).Unlock main.loop", actFastLock},
		{"a free lock's own atomic", "runnable", preempted + "sync/atomic.(*Int32).Add sync.(*RWMutex).RLock " +
			"main.loop runtime.goexit", actFastLock},
		{"one that wakes others", "running", "runtime.goready sync.runtime_notifyListNotifyAll " +
			"sync.(*Cond).Broadcast main.loop runtime.goexit", actLibrary},
		{"an atomic", "runnable", preempted + "sync/atomic.(*Int32).Load main.loop runtime.goexit", actAtomic},
		{"a sync.Map", "runnable", preempted + "internal/sync.(*HashTrieMap[...]).Load sync.(*Map).Load main.loop " +
			"runtime.goexit", actLooksUp},
		{"a context", "runnable", preempted + "sync.(*Mutex).Unlock context.(*cancelCtx).Err main.loop runtime.goexit",
			actAsksContext},
		{"a decoder", "runnable", preempted + "encoding/json.(*decodeState).scanNext encoding/json.Unmarshal " +
			"main.loop runtime.goexit", actLibrary},
		{"a framework's function", "runnable", preempted + "k8s.io/apimachinery/pkg/util/wait.BackoffUntil " +
			"runtime.goexit", actLibrary},
		{"a system call", "runnable", "syscall.Syscall6 os.(*File).Write main.loop", actSyscall},
		{"one that printing this dump", "running", "runtime/debug.Stack main.loop", actDumper},
		{"one that writes the goroutine profile", "running", "runtime/pprof.writeGoroutineStacks " +
			"runtime/pprof.(*Profile).WriteTo main.loop", actDumper},
		{"one that has not begun", "runnable", "main.start.gowrap1 runtime.goexit", actStarting},
		{"a worker of the collector", "runnable", "runtime.gopark runtime.gcBgMarkWorker runtime.goexit", actSystem},
		{"the sweeper, which yields", "runnable", "runtime.Gosched runtime.bgsweep runtime.goexit", actSystem},
	} {
		t.Run(tt.claim, func(t *testing.T) {
			all := activity(inDump(t, "SIGABRT: abort\nPC=0x47a2e1 m=0 sigcode=0\n\n"+stackText(7, tt.state, tt.frames)+
				parkedMain))
			if len(all) != 1 {
				t.Fatalf("%d groups are active, want 1", len(all))
			}
			if all[0].act != tt.want {
				t.Errorf("act %d, want %d", all[0].act, tt.want)
			}
		})
	}
}

func TestParkedGoroutinesAreNotActive(t *testing.T) {
	if all := activity(inDump(t, parkedMain+stackText(7, "select, 3 minutes", "main.loop"))); len(all) != 0 {
		t.Errorf("%d groups are active, want none", len(all))
	}
}

func TestOneWithoutAStackIsTheRuntimesWhereTheRuntimeMadeIt(t *testing.T) {
	const unavailable = "goroutine 7 [running]:\n\tgoroutine running on other thread; stack unavailable\ncreated by "
	for creator, want := range map[string]act{
		"main.start\n\t/src/parcel/main.go:30 +0x5c\n":                     actNoStack,
		"runtime.gcenable\n\t/usr/local/go/src/runtime/mgc.go:214 +0x66\n": actSystem,
	} {
		all := activity(inDump(t, unavailable+creator+"\n"+parkedMain))
		if len(all) != 1 || all[0].act != want {
			t.Errorf("created by %s: %+v, want act %d", creator, all, want)
		}
	}
}

func TestAPeerIsOneThatWaitsWhereTheOtherWentOnToWork(t *testing.T) {
	const preempted = "runtime.asyncPreempt2 runtime.asyncPreempt "
	for _, tt := range []struct {
		claim, busy, other, state string
		want                      bool
	}{
		{"a worker waits for a job in the loop that called this one's job",
			preempted + "main.weigh main.work runtime.goexit", "main.work", "chan receive", true},
		{"a worker waits for the lock", preempted + "main.weigh main.work runtime.goexit",
			"sync.runtime_SemacquireMutex sync.(*Mutex).Lock main.work", "sync.Mutex.Lock", true},
		{"another waits in the very function that this one loops in", preempted + "main.work runtime.goexit",
			"main.work", "chan receive", false},
		{"another function of the same go statement waits", preempted + "main.weigh main.work runtime.goexit",
			"main.listen", "chan receive", false},
		{"the other sleeps, which is waiting for nobody", preempted + "main.weigh main.work runtime.goexit",
			"time.Sleep main.work", "sleep", false},
		{"the other is at work too", preempted + "main.weigh main.work runtime.goexit", "main.work", "runnable", false},
	} {
		d := inDump(t, parkedMain+stackText(7, "runnable", tt.busy)+stackText(8, tt.state, tt.other))
		for _, a := range activity(d) {
			if a.goroutines[0].ID == 7 && a.peerWaits() != tt.want {
				t.Errorf("%s: peerWaits is %v", tt.claim, !tt.want)
			}
		}
	}
}

func TestASleepIsWrittenWhereItIsRound(t *testing.T) {
	for d, want := range map[int64]bool{0: true, 1: true, 50: true, 5000: true, 10000: true, 2500: true, 7312: false,
		1001: false, 123: false} {
		if written(time.Duration(d)) != want {
			t.Errorf("%d ns: %v", d, !want)
		}
	}
}

func TestVerdictsOnRunnableGoroutines(t *testing.T) {
	const preempted = "runtime.asyncPreempt2 runtime.asyncPreempt "
	dump := stackText(9, "running", "runtime/debug.Stack main.report") + parkedMain +
		stackText(7, "runnable", "runtime.Gosched main.drain runtime.goexit") +
		stackText(8, "runnable", "runtime.gopark runtime.chanrecv runtime.chanrecv1 main.take runtime.goexit") +
		stackText(10, "runnable", preempted+"encoding/json.(*decodeState).object encoding/json.Unmarshal main.decode "+
			"runtime.goexit") +
		stackText(11, "runnable", preempted+"main.weigh main.work runtime.goexit") +
		stackText(12, "select", "main.work") +
		stackText(13, "runnable", "syscall.Syscall6 os.(*File).Write main.write") +
		stackText(14, "runnable", "main.start.gowrap1 runtime.goexit") +
		stackText(15, "runnable", preempted+"main.fold runtime.goexit") +
		stackText(16, "runnable", "runtime.gopark runtime.gcBgMarkWorker runtime.goexit")
	d := inDump(t, dump)
	found := rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: []*rules.DumpInput{d}})
	var got []string
	for _, v := range RunnableVerdicts(d, found) {
		got = append(got, fmt.Sprintf("%d %s: %s", v.Goroutines[0], v.Verdict, v.Reason))
	}
	want := []string{
		"9 innocent: printing this dump",
		"7 accused: TR101 busy-wait",
		"8 innocent: just woken from a chan receive",
		"10 watch: working in json.Unmarshal",
		"11 watch: at work, while others started by the same go statement wait",
		"13 innocent: in a system call",
		"14 innocent: not yet at its first line",
		"15 watch: running: real work, or a spin",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
}

func TestInACrashNobodyAtWorkIsWatched(t *testing.T) {
	d := inDump(t, "panic: no harbour\n\n"+stackText(7, "running", "panic main.enter")+
		stackText(8, "runnable", "runtime.Gosched main.drain"))
	for _, v := range RunnableVerdicts(d, nil) {
		if v.Goroutines[0] == 8 && v.Verdict != VerdictInnocent {
			t.Errorf("goroutine 8: %s, %s", v.Verdict, v.Reason)
		}
	}
}

func TestWhoRaisedAPanicAgainIsNotBusyWithSomethingElse(t *testing.T) {
	d := inDump(t, "panic: no harbour [recovered, repanicked]\n\n"+
		stackText(7, "running", "testing.tRunner.func1.2 testing.tRunner.func1 panic main.enter")+
		stackText(8, "runnable", "main.drain"))
	want := []string{"7 raised the panic", "8 busy when the process died for another reason"}
	var got []string
	for _, v := range RunnableVerdicts(d, nil) {
		got = append(got, fmt.Sprintf("%d %s", v.Goroutines[0], v.Reason))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
}

func TestATryForALockIsNotTakingAFreeOne(t *testing.T) {
	for call, want := range map[string]string{
		"sync.(*Mutex).TryLock":          "tries to take a lock in a loop",
		"sync.(*RWMutex).TryRLock":       "tries to take a lock in a loop",
		"sync.(*Mutex).Unlock":           "polls under a lock",
		"internal/sync.(*Mutex).TryLock": "tries to take a lock in a loop",
	} {
		d := inDump(t, stackText(7, "runnable", call+" main.drain runtime.goexit")+parkedMain)
		found := rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: []*rules.DumpInput{d}})
		if len(found) != 1 || !strings.Contains(found[0].Title, want) {
			t.Errorf("%s: %+v, want %s", call, found, want)
		}
	}
}

func TestAPartOfATaskIsAwaitedByItsStarter(t *testing.T) {
	const part = "goroutine 7 [runnable]:\nmain.weigh(0x1)\n\t/src/parcel/w.go:9 +0x1d\ncreated by main.fanOut in " +
		"goroutine 8\n\t/src/parcel/main.go:30 +0x5c\n\n"
	starter := func(id int, fn, state string) string {
		return fmt.Sprintf("goroutine %d "+
			"[%s]:\nsync.runtime_SemacquireWaitGroup(0x1)\n\t/usr/local/go/src/runtime/sema.go:114 "+
			"+0x1d\nsync.(*WaitGroup).Wait(0x1)\n\t/usr/local/go/src/sync/waitgroup.go:206 "+
			"+0x1d\n%s()\n\t/src/parcel/w.go:20 +0x1d\n\n", id, state, fn)
	}
	for _, tt := range []struct {
		claim, other string
		want         bool
	}{
		{"its starter waits", starter(8, "main.fanOut", "sync.WaitGroup.Wait"), true},
		{"another run of the starter waits", starter(9, "main.fanOut", "sync.WaitGroup.Wait"), false},
		{"another function waits", starter(8, "main.serve", "sync.WaitGroup.Wait"), false},
		{"the starter was just woken", starter(8, "main.fanOut", "runnable"), false},
	} {
		for _, a := range activity(inDump(t, parkedMain+part+tt.other)) {
			if a.goroutines[0].ID == 7 && a.joined() != tt.want {
				t.Errorf("%s: joined is %v", tt.claim, !tt.want)
			}
		}
	}
}

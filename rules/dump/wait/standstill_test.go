package wait

import (
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// A dump with main in it is a whole one: whole for notes, wholeText for text.
const (
	whole     = "1 [select (no cases)]: main.main\n"
	wholeText = "goroutine 1 [select (no cases), 6 minutes]:\nmain.main()\n\t/src/shop/main.go:50 +0x67\n\n"
)

// leftLocked is a dump whose goroutines wait for a lock that nobody who is shown could hold.
var leftLocked = crowdOf(3, "sync.Mutex.Lock, 6 minutes", lockTill+`example.com/shop/pool.(*Pool).Take(0xc000122000)
	/src/shop/pool/pool.go:31 +0x54
created by main.main in goroutine 1
	/src/shop/main.go:44 +0x67
`)

// A goroutine that ran on another thread when the dump was made has no stack in it, and may hold any lock.
func TestAGoroutineWithoutAStackMayHoldTheLock(t *testing.T) {
	const hidden = "goroutine 11 [running]:\n\tgoroutine running on other thread; stack unavailable\n" +
		"created by main.main in goroutine 1\n\t/src/shop/main.go:31 +0x47\n\n"
	for _, test := range []struct {
		text string
		want rules.Confidence
	}{{wholeText + leftLocked, likely}, {hidden + leftLocked, rules.ConfLow}, {leftLocked, rules.ConfLow}} {
		if got := confidencesOf(test.text); len(got) != 1 || got[0] != test.want {
			t.Errorf("%v, want %s", got, test.want)
		}
	}
}

// What the standard library locks it unlocks: a child process is started under syscall.ForkLock.
func TestALockOfTheStandardLibraryIsHeldByTheGoroutineWithoutAStack(t *testing.T) {
	const hidden = "goroutine 11 [running]:\n\tgoroutine running on other thread; stack unavailable\n" +
		"created by net/http.(*Server).Serve in goroutine 1\n\t/usr/local/go/src/net/http/server.go:3102 +0x47\n\n"
	calls := func(fn, file string) string {
		return hidden + crowdOf(3, "semacquire", `sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)
	/usr/local/go/src/runtime/sema.go:77 +0x25
sync.(*Mutex).lockSlow(0xb8b800)
	/usr/local/go/src/sync/mutex.go:171 +0x165
sync.(*Mutex).Lock(...)
	/usr/local/go/src/sync/mutex.go:90
sync.(*RWMutex).Lock(0xc00050f3c0?)
	/usr/local/go/src/sync/rwmutex.go:147 +0x36
`+fn+`({0xc000098d00?, 0x2?}, {0xc0004a04f0, 0x1, 0x1}, 0x4?)
	`+file+` +0x2e7
main.hook(0xc0000b3680, 0xc00048ec60)
	/src/hooks/main.go:618 +0xbb6
created by net/http.(*Server).Serve in goroutine 1
	/usr/local/go/src/net/http/server.go:3102 +0x47
`)
	}
	if got := confidencesOf(calls("syscall.forkExec", "/usr/local/go/src/syscall/exec_unix.go:200")); len(got) != 0 {
		t.Errorf("%v", got)
	}
	if got := confidencesOf(calls("main.(*Gate).enter", "/src/hooks/gate.go:20")); !slices.Equal(got, []rules.Confidence{rules.ConfLow}) {
		t.Errorf("%v of a lock of the program", got)
	}
}

// confidencesOf applies the rules about locks to a dump.
func confidencesOf(text string) []rules.Confidence {
	var got []rules.Confidence
	for _, f := range foundIn(text) {
		got = append(got, sureness(&f))
	}
	return got
}

// likely is the sureness of a finding of low confidence that nothing speaks against.
const likely rules.Confidence = "likely"

// sureness is the confidence of a finding, likely where nothing speaks against one of low confidence.
func sureness(f *rules.Finding) rules.Confidence {
	if f.Confidence == rules.ConfLow && len(f.Against) == 0 {
		return likely
	}
	return f.Confidence
}

func foundIn(text string) []rules.Finding {
	dumps := []*rules.DumpInput{{Dump: dumptest.ParseDumps([]byte(text))[0], Input: "dump.txt"}}
	rulestest.Prepare(dumps, declared.Roles())
	return rulestest.ApplyAll(standstillRules(), &rules.Pass{Dumps: dumps})
}

// lockTill is where goroutines wait for the lock of one till.
const lockTill = `internal/sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)
	/usr/local/go/src/runtime/sema.go:95 +0xae
internal/sync.(*Mutex).lockSlow(0xc000122018)
	/usr/local/go/src/internal/sync/mutex.go:149 +0x140
sync.(*Mutex).Lock(...)
	/usr/local/go/src/sync/mutex.go:46
`

// A holder that came lately shows that the lock goes from hand to hand; one that will get an answer takes its time.
func TestAHolderThatWaitsForAnotherIsStuckWhereItHasWaitedForLongItself(t *testing.T) {
	waiters := crowdOf(3, "sync.Mutex.Lock, 4 minutes", lockTill+`example.com/shop/till.(*Till).Pay(0xc000122000)
	/src/shop/till/till.go:31 +0x54
example.com/shop.serve()
	/src/shop/serve.go:12 +0x54
created by main.main in goroutine 1
	/src/shop/main.go:44 +0x67
`)
	holder := func(state string) string {
		return "goroutine 907 [" + state + "]:\nexample.com/shop/till.(*Till).Pay(0xc000122000)\n\t/src/shop/till/till.go:35 +0x54\n" +
			"example.com/shop.serve()\n\t/src/shop/serve.go:12 +0x54\ncreated by main.main in goroutine 1\n\t/src/shop/main.go:44 +0x67\n\n"
	}
	const bank = "goroutine 9 [sleep]:\ntime.Sleep(0x1dcd6500)\n\t/usr/local/go/src/runtime/time.go:363 +0x165\n" +
		"example.com/shop/till.answer()\n\t/src/shop/till/bank.go:20 +0x31\ncreated by main.main in goroutine 1\n\t/src/shop/main.go:40 +0x67\n\n"
	for _, test := range []struct {
		name, text string
		want       rules.Confidence
	}{
		{"nobody answers", holder("chan receive, 4 minutes") + waiters, rules.ConfHigh},
		{"nobody answers for long", holder("chan receive, 6 minutes") + bank + waiters, rules.ConfHigh},
		// Near misses.
		{"it came lately", holder("chan receive") + waiters, rules.ConfLow},
		{"a goroutine that sleeps will answer", holder("chan receive, 1 minutes") + bank + waiters, ""},
	} {
		got := append(confidencesOf(test.text), "")
		if got[0] != test.want || len(got) > 2 {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestNobodyIsSentToTestALibrary(t *testing.T) {
	library := strings.NewReplacer("example.com/shop/pool.(", "example.org/pool.(",
		"/src/shop/pool/", "/home/ci/go/pkg/mod/example.org/pool@v1.4.0/").Replace(leftLocked)
	for _, test := range []struct {
		text string
		want bool
	}{{leftLocked, true}, {library, false}} {
		dumps := []*rules.DumpInput{{Dump: dumptest.ParseDumps([]byte(test.text))[0], Input: "dump.txt"}}
		rulestest.Prepare(dumps, declared.Roles())
		found := rulestest.ApplyAll(standstillRules(), &rules.Pass{Dumps: dumps})
		if len(found) != 1 || len(found[0].Next) == 0 {
			t.Fatalf("%d findings, want one with next steps", len(found))
		}
		got := slices.ContainsFunc(found[0].Next, func(s rules.Step) bool { return strings.HasPrefix(s.Command, "go test") })
		if got != test.want {
			t.Errorf("at %s: a step with go test is %v, want %v", found[0].Culprit.Function, got, test.want)
		}
	}
}

func TestAReaderThatReadsAgainBehindAWriterIsStuckWhereNobodyMoves(t *testing.T) {
	const (
		lock   = "sync.runtime_SemacquireRWMutexR{0x18?} sync.(*RWMutex).RLock{0xc000010000} lib.(*Tx).lock{0x5048be?} "
		reader = "7 [sync.RWMutex.RLock]: " + lock + "lib.(*DB).View{...} main.left{...} lib.(*Tx).scan.func1{0x79d980?} main.report\n"
		writer = "8 [sync.RWMutex.Lock]: sync.runtime_SemacquireRWMutex{0x18?} sync.(*RWMutex).Lock{0xc000010000} " +
			"lib.(*Tx).lock{0x504892?} lib.(*DB).Update{...} main.issue\n"
		others = "9 [sync.RWMutex.RLock]: " + lock + "lib.(*DB).View{...} main.report\n"
	)
	for _, c := range []struct{ name, notes, want string }{
		{"nobody moves", whole + reader + writer + others, "likely lib.(*Tx).lock"},
		// Near misses: what a healthy program shows as well.
		{"another goroutine works, maybe with the lock", reader + writer + others + "10 [sleep]: time.Sleep main.cook main.serve\n",
			"low lib.(*Tx).lock"},
	} {
		if got := judged(listed(t, c.notes), "rwmutex-recursion"); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A router of a library is closed while a handler is at work: Close waits with the lock that a watcher asks for. Its
// other goroutines wait for another lock of the type, so that no dump shows which of them has this one.
func TestAWatcherIsNotAccusedOfALockThatAnotherMayHold(t *testing.T) {
	const (
		lib  = "example.org/mq.(*Router)."
		at   = "\n\t/go/pkg/mod/example.org/mq@v1.5.1/router.go:"
		lock = "sync.(*Mutex).Lock(...)\n\t/usr/local/go/src/sync/mutex.go:46\n"
		slow = "internal/sync.(*Mutex).lockSlow(%)\n\t/usr/local/go/src/internal/sync/mutex.go:149 +0x15d\n" + lock
		rw   = "sync.(*RWMutex).Lock(0x1?)\n\t/usr/local/go/src/sync/rwmutex.go:150 +0x32\n"
		end  = " in goroutine 24" + at + "473 +0x8\n\n"
	)
	watcher := "goroutine 25 [sync.Mutex.Lock, 3 minutes]:\n" + strings.Replace(slow, "%", "0x16c370b4a164", 1) +
		lib + "IsClosed(0x16c370aa1e20?)" + at + "614 +0x4e\n" + lib + "watch.func1()" + at + "519 +0x92\ncreated by " +
		lib + "watch" + end
	handlers := "goroutine 28 [sync.Mutex.Lock, 3 minutes]:\n" + strings.Replace(slow, "%", "0x16c370ac4cc0", 1) + rw +
		lib + "RunHandlers.func1()" + at + "485 +0x89\ncreated by " + lib + "RunHandlers" + end
	waits := "goroutine 33 [sync.WaitGroup.Wait, 3 minutes]:\nsync.(*WaitGroup).Wait(0x16c370aa1e30)\n" +
		"\t/usr/local/go/src/sync/waitgroup.go:206 +0x85\n" + lib + "drain.func2()" + at + "608 +0x9b\ncreated by " + lib +
		"drain in goroutine 1" + at + "602 +0xe7\n\n"
	for _, c := range []struct {
		name, text string
		want       rules.Confidence
	}{
		{"who waits with it", watcher + handlers + waits, rules.ConfLow},
		// Near miss.
		{"all others want a lock", wholeText + watcher + handlers, likely},
	} {
		if got := append(confidencesOf(c.text), ""); got[0] != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// Tasks that take turns under a lock, one of which is at work, and who started them and waits for all of them.
func TestWhoStartedTasksThatTakeTurnsDoesNotHoldTheirLock(t *testing.T) {
	const starter = "goroutine 1 [sync.WaitGroup.Wait, 4 minutes]:\nsync.(*WaitGroup).Wait(0xc000122060)\n" +
		"\t/usr/local/go/src/sync/waitgroup.go:206 +0x85\nexample.com/shop/till.Balance(0xc000122018, 0x6)\n" +
		"\t/src/shop/till/till.go:60 +0x9d\nmain.main()\n\t/src/shop/main.go:10 +0x29\n\n"
	const atWork = "goroutine 907 [syscall, 4 minutes]:\nos.(*Process).Wait(0xc000130000)\n" +
		"\t/usr/local/go/src/os/exec.go:358 +0x54\n" +
		"example.com/shop/till.(*Till).Close(0x0?)\n\t/src/shop/till/till.go:35 +0x54\n" +
		"created by example.com/shop/till.Balance in goroutine 1\n\t/src/shop/till/till.go:58 +0x67\n\n"
	waiters := crowdOf(3, "sync.Mutex.Lock, 4 minutes", lockTill+`example.com/shop/till.(*Till).Close(0x0?)
	/src/shop/till/till.go:31 +0x54
created by example.com/shop/till.Balance in goroutine 1
	/src/shop/till/till.go:58 +0x67
`)
	if got := confidencesOf(starter + atWork + waiters); slices.Contains(got, rules.ConfMedium) {
		t.Errorf("one of them is at work: %q", got)
	}
	if got := confidencesOf(starter + waiters); !slices.Contains(got, rules.ConfMedium) { // near miss
		t.Errorf("none of them is at work: %q", got)
	}
}

func TestAWaitGroupUnderALockIsProvenWhereOneWhoCallsDoneWantsTheLock(t *testing.T) {
	wantsLock := func(at, outermost string) string {
		return `internal/sync.runtime_SemacquireMutex(0x0?, 0x0?, 0x0?)
	/usr/local/go/src/runtime/sema.go:95 +0xae
internal/sync.(*Mutex).lockSlow(0xc000122000)
	/usr/local/go/src/internal/sync/mutex.go:149 +0x140
sync.(*Mutex).Lock(...)
	/usr/local/go/src/sync/mutex.go:46
` + at + outermost
	}
	const (
		flush = `goroutine 21 [sync.WaitGroup.Wait, 6 minutes]:
sync.runtime_SemacquireWaitGroup(0xc000122010)
	/usr/local/go/src/runtime/sema.go:110 +0x25
sync.(*WaitGroup).Wait(0xc000122008)
	/usr/local/go/src/sync/waitgroup.go:118 +0x48
example.com/shop/batch.(*Batch).Flush(0xc000122000)
	/src/shop/batch/batch.go:48 +0x45
example.com/shop/batch.Nightly(...)
	/src/shop/batch/nightly.go:12
created by main.main in goroutine 1
	/src/shop/main.go:40 +0x67

`
		add     = "example.com/shop/batch.(*Batch).Add(0xc000122000)\n\t/src/shop/batch/batch.go:31 +0x54\n"
		handler = `main.order({0x7ce4e8, 0xc0003f8a10}, 0x4bafa5?)
	/src/shop/main.go:71 +0x65
net/http.HandlerFunc.ServeHTTP(0xc0003c00c0?, {0x7ce4e8?, 0xc0003f8a10?}, 0x640af6?)
	/usr/local/go/src/net/http/server.go:2286 +0x29
net/http.(*conn).serve(0xc00040c000, {0x7cebd8, 0xc0003e2210})
	/usr/local/go/src/net/http/server.go:2067 +0x690
created by net/http.(*Server).Serve in goroutine 7
	/usr/local/go/src/net/http/server.go:3464 +0x485
`
		worker = "example.com/shop/batch.(*Batch).work(0xc000122000)\n\t/src/shop/batch/batch.go:60 +0x54\n" +
			"created by example.com/shop/batch.New in goroutine 1\n\t/src/shop/batch/batch.go:20 +0x67\n"
		child = "example.com/shop/mail.Send(0xc000122000)\n\t/src/shop/mail/mail.go:60 +0x54\n" +
			"created by example.com/shop/batch.(*Batch).Flush in goroutine 21\n\t/src/shop/batch/batch.go:44 +0x67\n"
	)
	for name, c := range map[string]struct {
		waiters string
		want    rules.Confidence
	}{
		"handlers that queue":        {wantsLock(add, handler), rules.ConfHigh},
		"workers of the batch":       {wantsLock(add, worker), rules.ConfHigh},
		"goroutines that it started": {wantsLock(add, child), rules.ConfHigh},
	} {
		if got := confidencesOf(flush + crowdOf(3, "sync.Mutex.Lock, 6 minutes", c.waiters)); !slices.Equal(got, []rules.Confidence{c.want}) {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

// Who copies two goroutines out of a dump leaves out the one that holds the lock, as often as not.
func TestAPartOfADumpAccusesNobodyOfALock(t *testing.T) {
	const (
		lock = "sync.runtime_SemacquireMutex(0xc000010004?, 0x0?, 0x1?)\n\t/usr/local/go/src/runtime/sema.go:95 +0x25\n" +
			"sync.(*Mutex).Lock(0xc000010000)\n\t/usr/local/go/src/sync/mutex.go:90 +0x65\n"
		again = "goroutine 7 [sync.Mutex.Lock, 6 minutes]:\n" + lock +
			"example.com/shop/till.(*Till).Ring(0xc000010000)\n\t/src/shop/till/till.go:31 +0x54\n" +
			"example.com/shop/till.(*Till).Sell(0xc000010000)\n\t/src/shop/till/till.go:52 +0x54\n" +
			"created by main.main in goroutine 1\n\t/src/shop/main.go:44 +0x67\n"
		logs = "goroutine 7 [sync.Mutex.Lock, 6 minutes]:\n" + lock +
			"log.(*Logger).output(0xc000010000, 0x0, 0x2)\n\t/usr/local/go/src/log/log.go:243 +0x405\n" +
			"log.(*Logger).Printf(...)\n\t/usr/local/go/src/log/log.go:268\n" +
			"net/http.(*Server).logf(0x64b180fb14ca?)\n\t/usr/local/go/src/net/http/server.go:3638 +0x6e\n" +
			"created by net/http.(*Server).Serve in goroutine 1\n\t/usr/local/go/src/net/http/server.go:3102 +0x47\n"
	)
	for _, c := range []struct{ name, text, want string }{
		{"all of it, its methods", wholeText + again, "medium"},
		{"a part, its methods", again, "low"},
		{"cut in front, its methods", "\t/src/shop/main.go:44 +0x67\n\n" + again, "low"},
		{"a part, a logger", logs, ""},
	} {
		got := ""
		if found := foundIn(c.text); len(found) > 0 {
			got = string(found[0].Confidence)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestAPartOfADumpIsNotSureThatAReaderIsGone(t *testing.T) {
	const send = "7 [chan send, 20 minutes]: lib.(*Metrics).Collect{0xc000010000} shop.collect.func1\n"
	for name, test := range map[string]struct {
		notes string
		want  rules.Confidence
	}{
		"all of it": {whole + send, rules.ConfMedium},
		"a part":    {send, rules.ConfLow},
	} {
		d := listed(t, test.notes)
		found := rulestest.ApplyAll([]*rules.Rule{sendWithoutReader()}, &rules.Pass{Dumps: []*rules.DumpInput{d}})
		if len(found) != 1 || found[0].Confidence != test.want ||
			len(found[0].Against) > 0 != (test.want == rules.ConfLow) {
			t.Errorf("%s: %+v, want one of confidence %s", name, found, test.want)
		}
	}
}

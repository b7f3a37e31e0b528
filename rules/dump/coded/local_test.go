package coded

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/stackparse/frame"
)

// lineOf is the number of the line of a source that is marked "// @mark".
func lineOf(t *testing.T, src, mark string) int {
	t.Helper()
	n := 0
	for line := range strings.Lines(src) {
		n++
		if strings.HasSuffix(strings.TrimSpace(line), "// @"+mark) {
			return n
		}
	}
	t.Fatalf("no line is marked @%s", mark)
	return 0
}

// frameOf is a call of a note: "run.func1@send" is in package main at a marked line, "net/http.Serve" elsewhere.
func frameOf(t *testing.T, src, call string) frame.Frame {
	t.Helper()
	fn, mark, ours := strings.Cut(call, "@")
	if !ours {
		return frame.Frame{Func: fn, File: "/usr/local/go/src/" + strings.ReplaceAll(fn[:strings.LastIndex(fn, ".")], "(", "") + "/x.go", Line: 9}
	}
	return frame.Frame{Func: "main." + fn, File: "/src/shop/main.go", Line: lineOf(t, src, mark)}
}

// A stack is a line of notes: "3 [chan send] run.func1@send main@go".
type noted struct {
	n     int
	state string
	calls []frame.Frame
}

func stacksOf(t *testing.T, src, notes string) (all []noted) {
	t.Helper()
	for _, n := range dumptest.NotesOf(t, notes) {
		s := noted{n: n.Number, state: n.State}
		for _, call := range n.Calls {
			s.calls = append(s.calls, frameOf(t, src, call))
		}
		all = append(all, s)
	}
	return all
}

// writer is the goroutine that writes a text.
const writer = "goroutine 9001 [running]:\nruntime/pprof.writeGoroutineStacks({0x1, 0x2})\n\t/usr/local/go/src/runtime/pprof/pprof.go:9 +0x20\n\n"

// listed is a debug=2 dump of notes, whose first goroutine is main.
func listed(t *testing.T, src, notes string) *rules.DumpInput {
	t.Helper()
	b := strings.Builder{}
	b.WriteString(writer)
	id := 0
	for _, s := range stacksOf(t, src, notes) {
		for range s.n {
			id++
			fmt.Fprintf(&b, "goroutine %d [%s]:\n", id, s.state)
			for _, f := range s.calls {
				fmt.Fprintf(&b, "%s(0x1)\n\t%s:%d +0x20\n", f.Func, f.File, f.Line)
			}
			b.WriteByte('\n')
		}
	}
	return ready(dumptest.ParseDumps([]byte(b.String()))[0])
}

// counted is a binary profile of notes.
func counted(t *testing.T, src, notes string) *rules.DumpInput {
	t.Helper()
	return countedOf(t, src, notes+"\n1 [chan receive] net/http.serve main.main")
}

// countedOf is a binary profile of notes, of which one is main's.
func countedOf(t *testing.T, src, notes string) *rules.DumpInput {
	t.Helper()
	tops := map[string]string{"chan send": "runtime.gopark runtime.chansend runtime.chansend1", "running": "",
		"chan receive":        "runtime.gopark runtime.chanrecv runtime.chanrecv1",
		"sync.WaitGroup.Wait": "runtime.gopark sync.runtime_SemacquireWaitGroup",
	}
	return ready(stackparse.FromProfile(func(yield func(stackparse.CountedStack) bool) {
		for _, s := range stacksOf(t, src, notes) {
			c := stackparse.CountedStack{Count: int64(s.n)}
			for fn := range strings.FieldsSeq(tops[s.state]) {
				c.Frames = append(c.Frames, stackparse.Frame{Frame: frame.Frame{Func: fn, File: "runtime/x.go", Line: 1}})
			}
			for _, f := range s.calls {
				c.Frames = append(c.Frames, stackparse.Frame{Frame: f})
			}
			if !yield(c) {
				return
			}
		}
	}, false, time.Time{}))
}

func ready(d *stackparse.Dump) *rules.DumpInput {
	in := &rules.DumpInput{Dump: d, Input: "dump.txt", Locate: func(n int64) (string, int64) { return "dump.txt", n }}
	rulestest.Prepare([]*rules.DumpInput{in}, declared.Roles())
	return in
}

// findingsOf are what the rules of the room find in a dump of a program.
func findingsOf(t *testing.T, src string, d *rules.DumpInput) []rules.Finding {
	t.Helper()
	pkg := gocode.New([]gocode.File{{Name: "main.go", Text: src}}, "main.go", false)
	if pkg == nil {
		t.Fatal("the source can't be parsed")
	}
	code := gocode.NewReader(func(f gocode.Frame) (*gocode.Package, string) {
		if f.File == "/src/shop/main.go" {
			return pkg, "main.go"
		}
		return nil, ""
	}, func() []gocode.Unit { return []gocode.Unit{{Package: pkg, Path: "main", Dir: "/src/shop/"}} })
	return rulestest.ApplyAll(Rules(), &rules.Pass{Dumps: []*rules.DumpInput{d}, Code: code})
}

// judged lists them: "TR460 sure run.func1".
func judged(t *testing.T, src string, d *rules.DumpInput) string {
	t.Helper()
	var all []string
	for _, f := range findingsOf(t, src, d) {
		rulestest.CheckFinding(t, &f)
		all = append(all, fmt.Sprintf("%s %s %s", f.Rule, certainty(&f), strings.TrimPrefix(f.Culprit.Function, "main.")))
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// A situation is a program, a dump of it, and what the rules find.
type situation struct{ claim, src, notes, want string }

func check(t *testing.T, views []situation, dump func(t *testing.T, src, notes string) *rules.DumpInput) {
	t.Helper()
	for _, s := range views {
		t.Run(s.claim, func(t *testing.T) {
			src := "package main\n" + s.src
			if got := judged(t, src, dump(t, src, s.notes)); got != s.want {
				t.Errorf("%q, want %q", got, s.want)
			}
		})
	}
}

const asks = `
import ("context"; "time"; "sync")
func main() { ask(nil, nil) } // @main
func ask(ctx context.Context, work func() int) int {
	ch := make(chan int)
	go func() { // @entry
		n := work() // @work
		ch <- n // @send
	}()
	select { // @select
	case n := <-ch:
		return n
	case <-ctx.Done():
		return 0 // @return
	}
}
`

func TestAResultThatNobodyIsLeftToReceiveIsAbandoned(t *testing.T) {
	check(t, []situation{
		{"one of them", asks, "1 [chan send] ask.func1@send\n1 [sleep] time.Sleep main@main", "TR460 sure ask.func1"},
		{"a thousand", asks, "1000 [chan send] ask.func1@send\n1 [sleep] time.Sleep main@main", "TR460 sure ask.func1"},
		{"the caller serves another request", asks, "1 [chan send] ask.func1@send\n1 [IO wait] net.read main@main",
			"TR460 sure ask.func1"},
		// Near misses.
		{"three, of which one has its caller still", asks,
			"3 [chan send] ask.func1@send\n1 [select] ask@select main@main", ""},
		{"its caller is about to receive", asks, "1 [chan send] ask.func1@send\n1 [runnable] ask@select main@main", ""},
		{"its caller is about to return", asks, "1 [running] ask@return main@main\n1 [chan send] ask.func1@send", ""},
		{"as many callers as senders", asks, "2 [chan send] ask.func1@send\n2 [select] ask@select main@main", ""},
		{"it was woken: the caller has what it sent", asks, "1 [runnable] ask.func1@send\n1 [sleep] time.Sleep main@main", ""},
		{"it still works", asks, "1 [sleep] time.Sleep ask.func1@work\n1 [sleep] time.Sleep main@main", ""},
	}, listed)
}

// What is counted shows no states: who was just woken looks as if it waited.
func TestCountedGoroutinesAreAbandonedWhereNoneCanHaveBeenWoken(t *testing.T) {
	check(t, []situation{
		{"a hundred", asks, "100 [chan send] ask.func1@send\n1 [chan receive] net/http.serve", "TR460 sure ask.func1"},
		{"a thousand beside two at work", asks, "1000 [chan send] ask.func1@send\n2 [running] main@main", "TR460 sure ask.func1"},
		// Near misses.
		{"beside one whose caller is still there", asks,
			"150 [chan send] ask.func1@send\n1 [sleep] time.Sleep ask@select", ""},
		{"a few", asks, "2 [chan send] ask.func1@send\n1 [chan receive] net/http.serve", "TR460 low ask.func1"},
		{"a hundred beside twenty at work", asks, "100 [chan send] ask.func1@send\n20 [running] main@main",
			"TR460 low ask.func1"},
	}, counted)
}

// withWork is asks with other code behind what makes the channel.
func withWork(code string) string {
	return `
import ("context"; "time"; "sync"; "os"; "os/signal"; "lib")
type T struct { ch chan int }
type I interface { put(ch chan int) }
var global chan int
var mu sync.Mutex
var wg sync.WaitGroup
func put(ch chan int) { ch <- 1 }
func (t *T) put(ch chan int) { ch <- 1 }
func keep(ch chan int) { global = ch }
func relay(ch chan int) { put(ch) }
func run(f func()) { f() }
func start(f func()) { global2 = f }
var global2 func()
var kept <-chan int
func main() { kept = f(nil, nil) } // @main
func f(ctx context.Context, i I) (out <-chan int) {
	ch := make(chan int)
	go func() {
		ch <- 1 // @send
	}()
	` + code + `
	if ctx.Err() != nil {
		return nil
	}
	<-ch
	return nil
}
`
}

func TestWhatMayStillReachAVariableIsLeftAlone(t *testing.T) {
	const notes = "5 [chan send] f.func1@send\n1 [sleep] time.Sleep main@main"
	const want = "TR460 sure f.func1"
	var views []situation
	for _, c := range []struct{ claim, code, want string }{
		{"it is only looked at", "if ch == nil || len(ch) > cap(ch) { return nil }", want},
		{"a function of the package sends too", "put(ch)", want},
		{"a function passes it on", "relay(ch)", want},
		{"what is deferred closes it", "defer close(ch)", want},
		{"what is called where it is receives", "func() { <-ch }()", want},
		{"what is deferred receives", "defer func() { <-ch }()", want},
		{"another goroutine receives", "go func() { <-ch }()", want},
		{"one of a WaitGroup receives", "wg.Go(func() { <-ch })", want},
		{"a function of the package calls what receives", "run(func() { <-ch })", want},
		{"a Once runs what receives", "new(sync.Once).Do(func() { <-ch })", want},
		{"a local function receives", "get := func() int { return <-ch }; go get()", want},
		{"it is shadowed by what another package gets", "{ ch := make(chan int); lib.Use(ch) }", want},
		{"another channel is closed by a timer", "d := make(chan int); time.AfterFunc(1, func() { close(d) })", want},
		{"a field has its name", "lib.Use(T{ch: nil})", want},
		{"it is returned to code that never receives", "if i == nil { return ch }", "TR461 sure f.func1"},
		{"it is stored where no code receives", "(&T{}).ch = ch", "TR461 sure f.func1"},
		{"a function of the package stores it there", "keep(ch)", "TR461 sure f.func1"},
		// Near misses: each may receive from it later, on no stack.
		{"a timer's function receives", "time.AfterFunc(time.Second, func() { <-ch })", ""},
		{"the signals' package has it", "signal.Notify(ch, os.Interrupt)", ""},
		{"another package has it", "lib.Use(ch)", ""},
		{"another package's group runs what has it", "g := lib.Group(); g.Go(func() error { <-ch; return nil })", ""},
		{"it is a map's key", "lib.Use(map[chan int]bool{ch: true})", ""},
		{"it is a key of what isn't known", "lib.Use(lib.Set{ch: true})", ""},
		{"it is a key in what isn't known", "lib.Use([]lib.Set{{ch: true}})", ""},
		{"it is stored in a list", "all := []chan int{ch}; lib.Use(all)", ""},
		{"it is sent", "make(chan chan int, 1) <- ch", ""},
		{"it gets another name", "other := ch; lib.Use(other)", ""},
		{"it is an interface's", "var any interface{} = ch; lib.Use(any)", ""},
		{"its address is taken", "p := &ch; lib.Use(p)", ""},
		{"an interface's method has it", "i.put(ch)", ""},
		{"a method's value has it", "h := new(T).put; h(ch)", ""},
		{"a function of the package stores what has it", "start(func() { <-ch })", ""},
		{"what has it is returned", "g := func() { <-ch }; lib.Use(g)", ""},
		{"what has it is a method's value", "lib.Use(func() func() { return func() { <-ch } }())", ""},
		{"it is made twice", "ch = make(chan int)", ""},
		{"it is converted", "lib.Use((<-chan int)(ch))", ""},
		{"a function that isn't there has it", "missing(ch)", ""},
		{"a method of an unknown type has it", "lib.New().Use(ch)", ""},
	} {
		views = append(views, situation{c.claim, withWork(c.code), notes, c.want})
	}
	check(t, views, listed)
}

const pools = `
import ("sync"; "os"; "fmt")
func main() { // @main
	pool() // @call
}
func pool() {
	var wg sync.WaitGroup
	jobs, results := make(chan int), make(chan int)
	for i := 0; i < 5; i++ {
		wg.Add(1)
		go worker(jobs, results, &wg)
	}
	for i := 0; i < 9; i++ {
		jobs <- i // @give
	}
	wg.Wait() // @wait
	for r := range results { // @range
		fmt.Println(r)
	}
}
func worker(jobs <-chan int, results chan<- int, wg *sync.WaitGroup) { // @entry
	for j := range jobs { // @take
		if j == 7 {
			return
		}
		results <- j // @result
	}
	wg.Done() // @done
}
`

func TestWhoIsNeededWaitsForEverWhereAllWhoCouldEndThatDo(t *testing.T) {
	const start, main = "1 [sync.WaitGroup.Wait] sync.runtime_SemacquireWaitGroup sync.(*WaitGroup).Wait ", " main@call\n"
	check(t, []situation{
		{"results are received too late", pools, start + "pool@wait" + main + "5 [chan send] worker@result",
			"TR465 sure worker"},
		{"one gives out work, the others wait to hand in theirs", pools, "1 [chan send] pool@give" + main +
			"5 [chan send] worker@result", "TR465 sure worker"},
		{"nobody closes what they range over", pools, start + "pool@wait" + main + "5 [chan receive] worker@take",
			"TR461 sure worker"},
		{"all have ended, one of them without Done", pools, start + "pool@wait" + main, "TR461 sure pool"},
		{"a pool of a goroutine", pools, start + "pool@wait", "TR461 sure pool"},
		// Near misses.
		{"one of them is between two jobs", pools, start + "pool@wait" + main + "1 [runnable] worker@take\n" +
			"4 [chan send] worker@result", ""},
		{"one of them has just been started", pools, start + "pool@wait" + main + "1 [runnable] worker@entry", ""},
		{"one of them is about to call Done", pools, start + "pool@wait" + main + "1 [runnable] worker@done", ""},
		{"one of them reads a file", pools, start + "pool@wait" + main + "1 [IO wait] os.read worker@result", ""},
		{"who waits was woken", pools, "1 [runnable] sync.runtime_SemacquireWaitGroup sync.(*WaitGroup).Wait pool@wait" +
			main, ""},
	}, listed)
	check(t, []situation{
		{"nobody is left, in a form that counts", pools, start + "pool@wait" + main, "TR461 low pool"},
		// Near miss: a pipeline that works looks the same.
		{"all wait for each other, in a form that counts", pools, start + "pool@wait" + main +
			"5 [chan send] worker@result", ""},
	}, counted)
}

const forever = `
import "sync"
func main() {
	stop := make(chan bool)
	var wg sync.WaitGroup
	wg.Add(1)
	go func() {
		wg.Wait() // @group
	}()
	jobs := make(chan int)
	go func() {
		for range jobs { // @take
		}
	}()
	<-stop // @stop
	jobs <- 1
}
`

func TestWhatNoCodeEndsIsMeantToWait(t *testing.T) {
	check(t, []situation{
		{"main waits for ever", forever, "1 [chan receive] main@stop", ""},
		{"a goroutine waits for ever", forever, "1 [chan receive] main@stop\n" +
			"1 [sync.WaitGroup.Wait] sync.runtime_SemacquireWaitGroup sync.(*WaitGroup).Wait main.func1@group", ""},
		{"what waits for main is as idle", forever, "1 [chan receive] main@stop\n1 [chan receive] main.func2@take", ""},
	}, listed)
}

func TestADumpThatLacksGoroutinesProvesNothing(t *testing.T) {
	src := "package main\n" + asks
	const notes = "5 [chan send] ask.func1@send\n1 [sleep] time.Sleep main@main"
	for _, c := range []struct {
		claim string
		cut   func(d *rules.DumpInput)
		want  string
	}{
		{"a whole one", func(*rules.DumpInput) {}, "TR460 sure ask.func1"},
		{"its end is missing", func(d *rules.DumpInput) { d.Truncated.Tail = true }, ""},
		{"its beginning is missing", func(d *rules.DumpInput) { d.Truncated.Head = true }, ""},
		{"stacks were folded", func(d *rules.DumpInput) { d.Folded = 1 }, ""},
		{"lines of it make no sense", func(d *rules.DumpInput) { d.UnparsedLines = 1 }, ""},
		{"a stack lacks its middle", func(d *rules.DumpInput) { d.Buckets[1].Frames[0] = stackparse.Frame{Elided: 9} }, ""},
		{"a stack is not there", func(d *rules.DumpInput) { d.Buckets[1].Frames = nil }, ""},
		{"a goroutine ran on another thread", func(d *rules.DumpInput) {
			d.Buckets[1].Goroutines[0].Flags |= stackparse.FlagNoStack
		}, ""},
		{"a call has no name", func(d *rules.DumpInput) { d.Buckets[1].Frames[0].Func = "0x4711" }, ""},
		{"the goroutine that wrote it is missing", func(d *rules.DumpInput) {
			d.Buckets = slices.DeleteFunc(d.Buckets, wrote)
		}, ""},
		{"main is missing", withoutMain, ""},
		{"main is missing in a signal's text", func(d *rules.DumpInput) {
			d.Cause = &stackparse.Cause{Kind: stackparse.CauseSignal, Signal: "SIGQUIT: quit"}
			withoutMain(d)
		}, ""},
		{"a goroutine is in C", func(d *rules.DumpInput) { d.Buckets[2].Class = stackparse.ClassCgo }, ""},
		{"a goroutine panics", func(d *rules.DumpInput) { d.Buckets[2].Frames[0].Func = "panic" }, ""},
		{"a test's alarm panics", func(d *rules.DumpInput) {
			d.Cause = &stackparse.Cause{Kind: stackparse.CauseTestTimeout}
			d.Buckets[2].Frames[0].Func = "panic"
			d.Buckets[2].Frames = append(d.Buckets[2].Frames, stackparse.Frame{Frame: frame.Frame{Func: testAlarm}})
		}, "TR460 sure ask.func1"},
		{"a panic printed it", func(d *rules.DumpInput) { d.Cause = &stackparse.Cause{Kind: stackparse.CausePanic} }, ""},
		{"a signal asked for it", func(d *rules.DumpInput) {
			d.Cause = &stackparse.Cause{Kind: stackparse.CauseSignal, Signal: "SIGQUIT: quit"}
		}, "TR460 sure ask.func1"},
	} {
		d := listed(t, src, notes)
		c.cut(d)
		if got := judged(t, src, d); got != c.want {
			t.Errorf("%s: %q, want %q", c.claim, got, c.want)
		}
	}
}

// withoutMain takes the main goroutine out, and gives its number to no other.
func withoutMain(d *rules.DumpInput) {
	d.Buckets = slices.DeleteFunc(d.Buckets, func(b *stackparse.Bucket) bool { return calls(b, "main.main") })
	for _, b := range d.Buckets {
		for i := range b.Goroutines {
			b.Goroutines[i].ID += 10
		}
	}
}

// A goroutine that was just started shows none of its function in a form that counts, if the compiler wrapped it.
func TestAGoroutineThatWasJustStartedMayHoldAnything(t *testing.T) {
	src := "package main\n" + asks
	add := func(d *rules.DumpInput, n int, calls ...string) {
		b := &stackparse.Bucket{Count: n, Class: stackparse.ClassOther}
		for _, fn := range calls {
			b.Frames = append(b.Frames, stackparse.Frame{Frame: frame.Frame{Func: fn}})
		}
		d.Buckets = append(d.Buckets, b)
	}
	d := counted(t, src, "120 [chan send] ask.func1@send")
	add(d, 1)
	if got := judged(t, src, d); got != "" {
		t.Errorf("one of them: %q", got)
	}
	d = counted(t, src, "120 [chan send] ask.func1@send")
	add(d, 1)
	add(d, 1, "runtime/pprof.writeGoroutine", "net/http.serverHandler.ServeHTTP", "net/http.(*conn).serve")
	if got := judged(t, src, d); got != "TR460 sure ask.func1" {
		t.Errorf("the server's, for the request that asks: %q", got)
	}
}

func TestTheFindingNamesWhatWouldHaveEndedTheWait(t *testing.T) {
	src := "package main\n" + asks
	got := findingsOf(t, src, listed(t, src, "3 [chan send] ask.func1@send\n1 [sleep] time.Sleep main@main"))
	if len(got) != 1 {
		t.Fatalf("%d findings", len(got))
	}
	for _, want := range []string{"3 goroutines wait at main.ask.func1 (main.go:9) to send to ch, which is made at main.go:6",
		"ask receives from it at main.go:12, in a select"} {
		if said := got[0].Why + " " + strings.Join(got[0].Notes, " "); !strings.Contains(said, want) {
			t.Errorf("%q lacks %q", said, want)
		}
	}
}

// returning is a program whose channel is returned to what callers do with it.
func returning(callers string) string {
	return `
import "lib"
var kept <-chan int
func values() <-chan int {
	ch := make(chan int)
	go func() {
		ch <- 1 // @send
	}()
	return ch
}
` + callers
}

func TestAChannelThatIsReturnedIsFollowedToItsCallers(t *testing.T) {
	const notes, want = "5 [chan send] values.func1@send\n1 [sleep] time.Sleep main@main", "TR460 sure values.func1"
	var views []situation
	for _, c := range []struct{ claim, callers, notes, want string }{
		{"one receives once", "func main() { go f() } // @main\nfunc f() { ch := values(); <-ch }", notes, want},
		{"one loops over it", "func main() { go f() } // @main\nfunc f() { for range values() { return } }", notes, want},
		{"one drops it", "func main() { values() } // @main\nfunc f() { <-values() }", notes, want},
		{"one passes it on", "func main() { g(0) } // @main\nfunc g(int) { ch := values(); h(ch) }\nfunc h(ch <-chan int) { <-ch }",
			notes, want},
		// Near misses.
		{"who receives is there", "func main() { f() } // @main\nfunc f() { ch := values(); lib.F(); <-ch } // @f",
			"5 [chan send] values.func1@send\n1 [sleep] time.Sleep f@f main@main", ""},
		{"who loops is there", "func main() { f() } // @main\nfunc f() { for range values() { lib.F() } } // @f",
			"5 [chan send] values.func1@send\n1 [sleep] time.Sleep f@f main@main", ""},
		{"one keeps it", "func main() { kept = values() } // @main", notes, ""},
		{"one hands it out", "func main() { lib.Use(values()) } // @main", notes, ""},
		{"one has two of it", "func main() { go f() } // @main\nfunc f() { ch := values(); ch = values(); <-ch }", notes, ""},
		{"it is a value", "func main() { lib.Use(values) } // @main", notes, ""},
	} {
		views = append(views, situation{c.claim, returning(c.callers), c.notes, c.want})
	}
	check(t, views, listed)
}

func certainty(f *rules.Finding) string {
	if f.Alarm() {
		return "sure"
	}
	return "low"
}

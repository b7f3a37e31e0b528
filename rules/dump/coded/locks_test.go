package coded

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/gocode"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
)

// A lockCase is a program of one file and a dump of it. In the dump, "7 [sync.Mutex.Lock]: put add" are seven
// goroutines, or goroutine 7, whose calls are in the lines with "// put" and "// add", leaf first. With "put=0xc00001"
// the dump prints a receiver.
type lockCase struct {
	name, source, dump, want string
}

const lockHead = `package main

import "sync"

type T struct {
	mu, other sync.Mutex
	rw        sync.RWMutex
	done      chan int
	wg        sync.WaitGroup
	n         int
}

`

// idleMain is what programs end with that have no main.
const idleMain = "\nfunc main() {\n\tselect {} // waits\n}\n"

// leaves are the calls of package sync behind a wait.
var leaves = map[string][]string{
	"sync.Mutex.Lock": {"internal/sync.runtime_SemacquireMutex", "internal/sync.(*Mutex).lockSlow",
		"internal/sync.(*Mutex).Lock", "sync.(*Mutex).Lock"},
	"sync.RWMutex.RLock":  {"sync.runtime_SemacquireRWMutexR", "sync.(*RWMutex).RLock"},
	"sync.RWMutex.Lock":   {"sync.runtime_SemacquireRWMutex", "sync.(*RWMutex).Lock"},
	"sync.WaitGroup.Wait": {"sync.runtime_SemacquireWaitGroup", "sync.(*WaitGroup).Wait"},
	"sync.Cond.Wait":      {"sync.runtime_notifyListWait", "sync.(*Cond).Wait"},
	"sleep":               {"time.Sleep"},
	"relock": {"internal/sync.runtime_SemacquireMutex", "internal/sync.(*Mutex).lockSlow",
		"internal/sync.(*Mutex).Lock", "sync.(*Mutex).Lock", "sync.(*Cond).Wait"},
	"addressed": {"internal/sync.runtime_SemacquireMutex", "internal/sync.(*Mutex).lockSlow=0xc000010",
		"internal/sync.(*Mutex).Lock", "sync.(*Mutex).Lock"},
	"panicking": {"internal/sync.runtime_SemacquireMutex", "internal/sync.(*Mutex).lockSlow",
		"internal/sync.(*Mutex).Lock", "sync.(*Mutex).Lock"},
}

func ruleOf(id string) *rules.Rule {
	i := slices.IndexFunc(Rules(), func(r *rules.Rule) bool { return r.ID == id })
	return Rules()[i]
}

// judgedBy reports what a rule finds: "sure main.f file.go:7".
func judgedBy(t *testing.T, rule *rules.Rule, c lockCase, counted bool) string {
	t.Helper()
	var all []string
	for _, f := range rule.Apply(passOf(t, c, counted)) {
		rulestest.CheckFinding(t, &f)
		all = append(all, fmt.Sprintf("%s %s", certainty(&f), f.Culprit.Function))
	}
	return strings.Join(all, ", ")
}

// passOf is a case's dump, dump.txt, and its source.
func passOf(t *testing.T, c lockCase, counted bool) *rules.Pass {
	t.Helper()
	text := lockHead + c.source
	if !strings.Contains(text, "func main()") {
		text += idleMain
	}
	p := gocode.New([]gocode.File{{Name: "main.go", Text: text}}, "main.go", false)
	if p == nil {
		t.Fatalf("%s: not parsed", c.name)
	}
	d := &rules.DumpInput{Input: "dump.txt", Locate: func(n int64) (string, int64) { return "dump.txt", n }}
	d.Dump = dumptest.ParseDumps([]byte(dumpText(t, p, text, c.dump, counted)))[0]
	rulestest.Prepare([]*rules.DumpInput{d}, declared.Roles())
	return &rules.Pass{Dumps: []*rules.DumpInput{d}, Code: gocode.NewReader(func(f gocode.Frame) (*gocode.Package, string) {
		if strings.HasSuffix(f.File, "/main.go") && f.Callee != "" { // without what it calls, its line could be another
			return p, "main.go"
		}
		return nil, ""
	}, nil)}
}

// dumpText writes the dump of some notes.
func dumpText(t *testing.T, p *gocode.Package, text, notes string, counted bool) string {
	t.Helper()
	var b strings.Builder
	if strings.HasSuffix(text, idleMain) && (counted || !strings.Contains("\n"+notes, "\n1 [")) {
		notes = "1 [select (no cases)]: waits\n" + notes
	}
	if counted {
		fmt.Fprintf(&b, "goroutine profile: total %d\n", strings.Count(notes, "["))
	} else {
		b.WriteString(writer)
	}
	for line := range strings.Lines(notes) {
		head, calls, _ := strings.Cut(strings.TrimSpace(line), "]: ")
		number, state, _ := strings.Cut(head, " [")
		frames := slices.Clone(leaves[state])
		if counted && len(frames) == 0 {
			frames = []string{"runtime.gopark", map[string]string{"chan receive": "runtime.chanrecv1",
				"chan send": "runtime.chansend1", "select": "runtime.selectgo", "select (no cases)": "runtime.block"}[state]}
		}
		frames = append(frames, strings.Fields(calls)...)
		shown := state
		if state == "relock" || state == "panicking" || state == "addressed" {
			shown = "sync.Mutex.Lock"
		}
		if counted {
			fmt.Fprintf(&b, "1 @ 0x1 0x2\n")
		} else {
			fmt.Fprintf(&b, "goroutine %s [%s]:\n", number, shown)
		}
		for _, f := range frames {
			f, receiver, _ := strings.Cut(f, "=")
			name, file, n := place(t, p, text, f)
			if counted {
				fmt.Fprintf(&b, "#\t0x1\t%s+0x1\t%s:%d\n", name, file, n)
			} else {
				fmt.Fprintf(&b, "%s(%s)\n\t%s:%d +0x1\n", name, receiver, file, n)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}

// place is a frame: of the line with a mark, or one of the standard library.
func place(t *testing.T, p *gocode.Package, text, mark string) (name, file string, n int) {
	t.Helper()
	if strings.Contains(mark, ".") {
		return mark, "/usr/local/go/src/sync/x.go", 1
	}
	if mark == "panic" {
		return mark, "/usr/local/go/src/runtime/panic.go", 1
	}
	for line := range strings.Lines(text) {
		n++
		if strings.Contains(line, "// "+mark+"\n") {
			fn, decl := p.At("main.go", n, "main.f")
			if decl == nil {
				t.Fatalf("no function at %q", line)
			}
			name := "main." + strings.ReplaceAll(gocode.Name(decl, decl), "[K]", "[...]")
			if fn != nil && fn.Pos() != decl.Pos() {
				name += ".func1"
			}
			return name, "/src/main.go", n
		}
	}
	t.Fatalf("no line is marked %q", mark)
	return "", "", 0
}

func checkLocks(t *testing.T, rule *rules.Rule, cases []lockCase) {
	t.Helper()
	for _, c := range cases {
		for _, counted := range []bool{false, true} {
			want := c.want
			if before, after, ok := strings.Cut(want, " | "); ok {
				if want = before; counted {
					want = after
				}
			}
			if got := judgedBy(t, rule, c, counted); got != want {
				t.Errorf("%s (counted: %v): %q, want %q", c.name, counted, got, want)
			}
		}
	}
}

func TestALockThatAnOuterCallHasTakenNeverBecomesFree(t *testing.T) {
	const (
		inner = "func (t *T) inner() {\n\tt.mu.Lock() // inner\n\tt.mu.Unlock()\n}\n"
		outer = "func (t *T) outer() {\n\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n\tt.inner() // outer\n}\n"
		main  = "func main() {\n\tt := &T{}\n\tt.outer() // main\n}\n"
		waits = "1 [sync.Mutex.Lock]: inner outer main\n"
		want  = "sure main.(*T).inner"
	)
	checkLocks(t, ruleOf("TR463"), []lockCase{
		{"a method calls one that locks too", inner + outer + main, waits, want},
		{"by a method that locks", inner + "func (t *T) lock() { t.mu.Lock() }\n" +
			"func (t *T) outer() {\n\tt.lock()\n\tt.inner() // outer\n\tt.mu.Unlock()\n}\n" + main, waits, want},
		{"in a callback", inner + "func (t *T) each(f func()) {\n\tt.mu.Lock()\n\tf() // each\n\tt.mu.Unlock()\n}\n" +
			"func main() {\n\tt := &T{}\n\tt.each(func() {\n\t\tt.inner() // call\n\t}) // x\n}\nfunc x(t *T) {\n\tt.n++ // y\n}\n",
			"1 [sync.Mutex.Lock]: inner call each\n", ""}, // whose callback it is isn't on the stack
		{"read under read behind a writer", "func (t *T) inner() {\n\tt.rw.RLock() // inner\n}\nfunc (t *T) outer() {\n\t" +
			"t.rw.RLock()\n\tt.inner() // outer\n\tt.rw.RUnlock()\n}\nfunc (t *T) set() {\n\tt.rw.Lock() // set\n\tt.rw.Unlock()\n}\n" + main,
			"1 [sync.RWMutex.RLock]: inner outer main\n2 [sync.RWMutex.Lock]: set\n", want},
		{"write under read", "func (t *T) inner() {\n\tt.rw.Lock() // inner\n}\nfunc (t *T) outer() {\n\tt.rw.RLock()\n" +
			"\tt.inner() // outer\n\tt.rw.RUnlock()\n}\n" + main, "1 [sync.RWMutex.Lock]: inner outer main\n", want},
		// Near misses: what a healthy program shows as well.
		{"it unlocks before the call", inner + "func (t *T) outer() {\n\tt.mu.Lock()\n\tt.mu.Unlock()\n\tt.inner() // outer\n}\n" + main,
			waits, ""},
		{"on one way only", inner + "func (t *T) outer() {\n\tif t.n > 0 {\n\t\tt.mu.Lock()\n\t}\n\tt.inner() // outer\n}\n" + main, waits, ""},
		{"another object of the type", inner + "func (t *T) outer() {\n\to := &T{}\n\tt.mu.Lock()\n\to.inner() // outer\n}\n" + main, waits, ""},
		{"another lock of the object", inner + "func (t *T) outer() {\n\tt.other.Lock()\n\tt.inner() // outer\n}\n" + main, waits, ""},
		{"it is released on the way", outer + main + "func (t *T) inner() {\n\tt.mu.Unlock()\n\tt.n++\n\tt.mu.Lock() // inner\n}\n", waits, ""},
		{"a call on the way released it", outer + main + "func (t *T) inner() {\n\tt.pause()\n\tt.mu.Lock() // inner\n}\n" +
			"func (t *T) pause() { t.mu.Unlock() }\n", waits, ""},
		{"a Cond takes its lock again", outer + main + "func (t *T) inner() {\n\tvar c sync.Cond\n\tc.Wait() // inner\n}\n",
			"1 [relock]: inner outer main\n", ""},
		{"another goroutine releases it", inner + outer + main + "func (t *T) serve() {\n\tfor range t.done {\n\t\tt.mu.Unlock()\n\t}\n}\n" +
			"func start(t *T) {\n\tgo t.serve()\n}\n", waits, ""},
		{"a panic is under way", outer + main + "func (t *T) inner() {\n\tt.mu.Lock() // inner\n}\n",
			"1 [panicking]: inner panic outer main\n", ""},
		{"read under read without a writer", "func (t *T) inner() {\n\tt.rw.RLock() // inner\n}\nfunc (t *T) outer() {\n\t" +
			"t.rw.RLock()\n\tt.inner() // outer\n}\n" + main, "1 [sync.RWMutex.RLock]: inner outer main\n", ""},
	})
}

func TestTheFirstWordOfAGenericMethodIsNoReceiver(t *testing.T) {
	const generic = "type S[K any] struct {\n\tmu sync.Mutex\n\tk K\n}\nfunc (s *S[K]) put() {\n\ts.mu.Lock() // put\n\ts.mu.Unlock()\n}\n" +
		"func (s *S[K]) move(to *S[K]) {\n\ts.mu.Lock()\n\tto.put() // move\n\ts.mu.Unlock()\n}\n"
	plain := strings.NewReplacer("S[K any]", "S", "S[K]", "S", "\tk K\n", "").Replace(generic)
	waits := "7 [sync.Mutex.Lock]: put=0x788860 move=0x788860\n"
	checkLocks(t, ruleOf("TR463"), []lockCase{
		{"both calls have the dictionary of their type", generic, waits, ""},
		{"both calls have one receiver", plain, waits, "sure main.(*S).put | "},
		{"they have two", plain, strings.Replace(waits, "0x788860", "0x788868", 1), ""},
	})
}

func TestALockThatAReturnLeftTakenIsNamed(t *testing.T) {
	const (
		bug   = "func (t *T) add() int {\n\tt.mu.Lock()\n\tif t.n > 0 {\n\t\treturn 1\n\t}\n\tt.mu.Unlock()\n\treturn 0\n}\n"
		get   = "func (t *T) get() int {\n\tt.mu.Lock() // get\n\tn := t.n\n\tt.mu.Unlock()\n\treturn n\n}\n"
		slow  = "func (t *T) slow() {\n\tt.mu.Lock()\n\t<-t.done // slow\n\tt.mu.Unlock()\n}\n"
		idle  = "func idle(c chan int) {\n\t<-c // idle\n}\n"
		waits = "7 [sync.Mutex.Lock, 3 minutes]: get\n8 [sync.Mutex.Lock]: get\n3 [chan receive]: idle\n"
		want  = "sure main.(*T).add | low main.(*T).add"
	)
	both := func(source string) string { return source + get + idle }
	checkLocks(t, ruleOf("TR464"), []lockCase{
		{"a return forgot to unlock", both(bug), strings.ReplaceAll(waits, ", 3 minutes", ""), want},
		// Near misses.
		{"somebody has it", both(bug + slow), waits[strings.Index(waits, "8"):] + "4 [chan receive]: slow\n", ""},
		{"no return forgets it", both("func (t *T) add() {\n\tt.mu.Lock()\n\tt.n++\n\tt.mu.Unlock()\n}\n"), "7 [sync.Mutex.Lock]: get\n", ""},
		{"another lock is left", both(strings.ReplaceAll(bug, "mu", "other")), "7 [sync.Mutex.Lock]: get\n", ""},
		{"a caller unlocks what an error left", both(bug + "func (t *T) serve() {\n\tif t.add() > 0 {\n\t\tt.mu.Unlock()\n\t}\n}\n"),
			"7 [sync.Mutex.Lock]: get\n", ""},
		{"another package has its address", both(bug + "func guard(keep func(*sync.Mutex)) {\n\tt := &T{}\n\tkeep(&t.mu)\n}\n"),
			"7 [sync.Mutex.Lock]: get\n", ""},
		{"whoever has it hands it over", both(bug + "func (t *T) Done() {\n\tt.mu.Unlock()\n}\n"), "7 [sync.Mutex.Lock]: get\n", ""},
	})
	if got := judgedBy(t, ruleOf("TR464"), lockCase{source: both(bug), dump: "7 [sync.Mutex.Lock]: get\n3 [chan receive]: idle\n"}, false); got !=
		"sure main.(*T).add" {
		t.Errorf("one waiter: %q", got)
	}
}

func TestACircleOverALockIsProvenByTheSource(t *testing.T) {
	const (
		stop  = "func (t *T) stop() {\n\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n\t<-t.done // stop\n}\n"
		run   = "func (t *T) run() {\n\tdefer close(t.done)\n\tfor t.n < 9 {\n\t\tt.flush() // run\n\t}\n}\n"
		flush = "func (t *T) flush() {\n\tt.mu.Lock() // flush\n\tt.n++\n\tt.mu.Unlock()\n}\n"
		make_ = "func start() *T {\n\tt := &T{done: make(chan int)}\n\tgo t.run()\n\treturn t\n}\n"
		waits = "1 [chan receive]: stop\n2 [sync.Mutex.Lock]: flush run\n"
		want  = "sure main.(*T).stop"
		takes = "func (t *T) take() {\n\tfor range t.done {\n\t\tt.flush() // take\n\t}\n}\n" + flush +
			"func (t *T) send() {\n\tt.mu.Lock()\n\tt.done <- 1 // send\n\tt.mu.Unlock()\n}\n"
		sends = "1 [chan send]: send\n2 [sync.Mutex.Lock]: flush take\n"
		ab    = "func (t *T) ab() {\n\tt.mu.Lock()\n\tt.other.Lock() // ab\n\tt.other.Unlock()\n\tt.mu.Unlock()\n}\n"
		ba    = "func (t *T) ba() {\n\tt.other.Lock()\n\tt.mu.Lock() // ba\n\tt.mu.Unlock()\n\tt.other.Unlock()\n}\n"
	)
	checkLocks(t, ruleOf("TR465"), []lockCase{
		{"who closes the channel wants the lock", stop + run + flush + make_, waits, want + " | low main.(*T).stop"},
		{"who calls Done wants the lock", "func (t *T) stop() {\n\tt.mu.Lock()\n\tt.wg.Wait() // stop\n\tt.mu.Unlock()\n}\n" +
			"func (t *T) run() {\n\tdefer t.wg.Done()\n\tt.flush() // run\n}\n" + flush + make_,
			"1 [sync.WaitGroup.Wait]: stop\n2 [sync.Mutex.Lock]: flush run\n", want + " | low main.(*T).stop"},
		{"all who send need the lock", stop + "func (t *T) put() {\n\tt.mu.Lock() // put\n\tt.done <- 1\n\tt.mu.Unlock()\n}\n",
			"1 [chan receive]: stop\n2 [sync.Mutex.Lock]: put\n", want + " | low main.(*T).stop"},
		{"all who receive wait for the lock, and no more are started", takes + "func main() {\n\tt := &T{}\n\tgo t.take()\n" +
			"\tpause() // main\n}\nfunc pause() {\n\tselect {} // pause\n}\n", sends + "3 [select]: pause main\n",
			"sure main.(*T).send | low main.(*T).send"},
		{"two locks in two orders", ab + ba, "1 [sync.Mutex.Lock]: ab\n2 [sync.Mutex.Lock]: ba\n", "sure main.(*T).ab"},
		// Near misses.
		{"a goroutine that goes on may start another one", takes + "func main() {\n\tt := &T{}\n\tfor t.n < 9 {\n\t\tgo t.take()\n" +
			"\t\tpause() // main\n\t}\n}\nfunc pause() {\n\tselect {} // pause\n}\n", sends + "3 [select]: pause main\n", ""},
		{"a value of it is somewhere", takes + "func start(t *T, later func(func())) {\n\tlater(t.take)\n}\n", sends, ""},
		{"other packages may start it", strings.ReplaceAll(takes, "take()", "Take()") +
			"func start(t *T) {\n\tgo t.Take()\n}\n", sends, ""},
		{"its WaitGroup is another object's", "func (t *T) stop() {\n\tt.mu.Lock()\n\tt.wg.Wait() // stop\n\tt.mu.Unlock()\n}\n" +
			"type C struct{ T }\nfunc run(c *C, t *T) {\n\tdefer c.wg.Done()\n\tt.flush() // run\n}\n" + flush +
			"func start(c *C, t *T) {\n\tgo run(c, t)\n}\n",
			"1 [sync.WaitGroup.Wait]: stop\n2 [sync.Mutex.Lock]: flush run\n", ""},
		{"another function closes it too", stop + run + flush + make_ + "func (t *T) Abort() {\n\tclose(t.done)\n}\n", waits, ""},
		{"the channel is handed on", stop + run + flush + make_ + "func (t *T) Done() chan int {\n\treturn t.done\n}\n", waits, ""},
		{"another goroutine of the kind goes on", stop + run + flush + make_ + "func (t *T) idle() {\n\tt.n++ // idle\n}\n",
			waits + "3 [select]: run\n", ""},
		{"somebody else may have the lock", stop + run + flush + make_ + "func (t *T) slow(c chan int) {\n\tt.mu.Lock()\n\t<-c // slow\n" +
			"\tt.mu.Unlock()\n}\n", waits + "3 [chan receive]: slow\n", ""},
		{"it waits without the lock", "func (t *T) stop() {\n\tt.mu.Lock()\n\tt.mu.Unlock()\n\t<-t.done // stop\n}\n" + run + flush + make_,
			waits, ""},
		{"one order", ab + "func (t *T) ba() {\n\tt.mu.Lock() // ba\n\tt.other.Lock()\n\tt.other.Unlock()\n\tt.mu.Unlock()\n}\n",
			"1 [sync.Mutex.Lock]: ab\n2 [sync.Mutex.Lock]: ba\n", ""},
		{"a third one has one of the two", ab + ba + "func (t *T) slow(c chan int) {\n\tt.mu.Lock()\n\t<-c // slow\n\tt.mu.Unlock()\n}\n",
			"1 [sync.Mutex.Lock]: ab\n2 [sync.Mutex.Lock]: ba\n3 [chan receive]: slow\n", ""},
	})
}

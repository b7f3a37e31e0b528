package coded

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
)

const (
	get   = "func (t *T) get() int {\n\tt.mu.Lock() // get\n\tn := t.n\n\tt.mu.Unlock()\n\treturn n\n}\n"
	sleep = "func sleep(c chan int) {\n\t<-c // sleep\n}\n"
)

// A healthyCase is a way in which healthy programs use locks, about which no rule says anything, and the fault that
// looks most like it: the program with other words in one place, and another dump where that is needed.
type healthyCase struct {
	lockCase
	rule               string
	from, to, dumpThen string
}

func TestWhatHealthyProgramsDoWithLocksIsNotAccused(t *testing.T) {
	const (
		get   = "func (t *T) get() int {\n\tt.mu.Lock() // get\n\tn := t.n\n\tt.mu.Unlock()\n\treturn n\n}\n"
		waits = "7 [sync.Mutex.Lock]: get\n8 [sync.Mutex.Lock]: get\n"
		left  = "sure main.(*T).first | low main.(*T).first"
	)
	checkHealthy(t, []healthyCase{
		{lockCase{"a goroutine is handed the lock", "func (t *T) first() bool {\n\tt.mu.Lock()\n\tif t.n > 0 {\n\t\tgo t.second()\n\t\treturn true\n\t}\n" +
			"\tt.mu.Unlock()\n\treturn false\n}\nfunc (t *T) second() {\n\t<-t.done\n\tt.mu.Unlock()\n}\n" + get, waits, left},
			"TR464", "<-t.done\n\tt.mu.Unlock()", "<-t.done\n\tt.n++", ""},
		{lockCase{"a guard is returned as a closure", "func (t *T) first() func() {\n\tt.mu.Lock()\n\tif t.n > 0 {\n\t\treturn func() { t.mu.Unlock() }\n\t}\n" +
			"\tt.mu.Unlock()\n\treturn nil\n}\n" + get, waits, left}, "TR464", "func() { t.mu.Unlock() }", "func() { t.n++ }", ""},
		{lockCase{"each shard has a lock", "func move(shards []*T, i, j int) {\n\ta, b := shards[i], shards[j]\n\ta.mu.Lock()\n\tb.get() // move\n" +
			"\ta.n++\n\ta.mu.Unlock()\n}\n" + get, "7 [sync.Mutex.Lock]: get move\n", "sure main.(*T).get"}, "TR463", "\tb.get()", "\ta.get()", ""},
		{lockCase{"locks are values of a map", "func move(all map[string]*T, from, to string) {\n\tall[from].mu.Lock()\n\tx := all[to]\n\tx.get() // move\n" +
			"\tall[from].mu.Unlock()\n}\n" + get, "7 [sync.Mutex.Lock]: get move\n", "sure main.(*T).get"},
			"TR463", "all[from].mu.Lock()\n\tx := all[to]\n\tx.get() // move\n\tall[from].mu.Unlock()",
			"x := all[to]\n\tx.mu.Lock()\n\tx.get() // move\n\tx.mu.Unlock()", ""},
		{lockCase{"the order is that of the addresses", "func both(a, b *T) {\n\tif a.n > b.n {\n\t\ta, b = b, a\n\t}\n\ta.mu.Lock()\n\tb.mu.Lock() // both\n" +
			"\tb.mu.Unlock()\n\ta.mu.Unlock()\n}\n", "7 [sync.Mutex.Lock]: both\n8 [sync.Mutex.Lock]: both\n", "sure main.both"},
			"TR463", "\tif a.n > b.n {\n\t\ta, b = b, a\n\t}\n\ta.mu.Lock()\n\tb.mu.Lock() // both\n\tb.mu.Unlock()\n",
			"\ta.mu.Lock()\n\ta.mu.Lock() // both\n", ""},
		{lockCase{"a read lock is released before the write lock", "func (t *T) up() {\n\tt.rw.RLock()\n\tif t.n > 0 {\n\t\tt.rw.RUnlock()\n\t\treturn\n\t}\n" +
			"\tt.rw.RUnlock()\n\tt.rw.Lock() // up\n\tdefer t.rw.Unlock()\n\tt.n++\n}\n", "7 [sync.RWMutex.Lock]: up\n8 [sync.RWMutex.Lock]: up\n",
			"sure main.(*T).up"}, "TR463", "\tt.rw.RUnlock()\n\tt.rw.Lock() // up",
			"\tdefer t.rw.RUnlock()\n\tt.rw.Lock() // up", ""},
		{lockCase{"a deferred literal unlocks", "func (t *T) first() bool {\n\tt.mu.Lock()\n\tdefer func() {\n\t\tt.n++\n\t\tt.mu.Unlock()\n\t}()\n" +
			"\tif t.n > 0 {\n\t\treturn true\n\t}\n\tt.n = 1\n\treturn false\n}\n" + get, waits, left},
			"TR464", "\t\tt.mu.Unlock()\n\t}()\n\tif t.n > 0 {\n\t\treturn true\n\t}\n",
			"\t}()\n\tif t.n > 0 {\n\t\treturn true\n\t}\n\tt.mu.Unlock()\n", ""},
		{lockCase{"a timer ends a wait under the lock", "func (t *T) first(timer chan int) {\n\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n\tselect { // first\n" +
			"\tcase <-t.done:\n\tcase <-timer:\n\t}\n}\nfunc (t *T) put() {\n\tt.mu.Lock() // put\n\tt.done <- 1\n\tt.mu.Unlock()\n}\n",
			"1 [select]: first\n2 [sync.Mutex.Lock]: put\n", "sure main.(*T).first | low main.(*T).first"},
			"TR465", "\tselect { // first\n\tcase <-t.done:\n\tcase <-timer:\n\t}\n", "\t<-t.done // first\n",
			"1 [chan receive]: first\n2 [sync.Mutex.Lock]: put\n"},
	})
}

func TestALockThatOthersMayReleaseProvesNothing(t *testing.T) {
	const (
		first = "func (t *T) first() {\n\tt.mu.Lock()\n\tif t.n > 0 {\n\t\treturn\n\t}\n\tt.mu.Unlock()\n}\n"
		waits = "7 [sync.Mutex.Lock]: get\n8 [sync.Mutex.Lock]: get\n"
		left  = "sure main.(*T).first | low main.(*T).first"
	)
	checkHealthy(t, []healthyCase{
		{lockCase{"a variable of the package has a function that unlocks", "var free = []func(*T){func(t *T) { t.mu.Unlock() }}\n" + first + get,
			waits, left}, "TR464", "{ t.mu.Unlock() }}", "{ t.n++ }}", ""},
		{lockCase{"a deferred literal locks only where it has to", first + get + "func (t *T) second(locked bool) {\n\tdefer func() {\n" +
			"\t\tif !locked {\n\t\t\tt.mu.Lock()\n\t\t}\n\t\tt.mu.Unlock()\n\t}()\n}\n", waits, left},
			"TR464", "\t\tif !locked {\n\t\t\tt.mu.Lock()\n\t\t}\n", "\t\tt.mu.Lock()\n", ""},
		{lockCase{"a value of unknown type unlocks", first + get + "func second() { list.Front().Value.(*T).mu.Unlock() }\n", waits, left},
			"TR464", ".mu.Unlock() }", ".n++ }", ""},
		{lockCase{"an Unlock that is deferred before is for what a method leaves", first + get + sleep + "func (t *T) second() {\n\tt.mu.Lock()\n" +
			"\tdefer t.mu.Unlock()\n\tt.mu.Unlock()\n\tt.first()\n\tsleep(t.done) // second\n}\n", waits + "9 [chan receive]: sleep second\n", left},
			"TR464", "\tdefer t.mu.Unlock()\n\tt.mu.Unlock()\n\tt.first()", "\tt.mu.Unlock()\n\tt.first()", ""},
		{lockCase{"a value of unknown type ends the wait", "func (t *T) first() {\n\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n\t<-t.done // first\n}\n" +
			"func (t *T) put() {\n\tt.mu.Lock() // put\n\tt.done <- 1\n\tt.mu.Unlock()\n}\nfunc second() { close(list.Front().Value.(*T).done) }\n",
			"1 [chan receive]: first\n2 [sync.Mutex.Lock]: put\n", "sure main.(*T).first | low main.(*T).first"},
			"TR465", "close(list.Front().Value.(*T).done)", "close(list)", ""},
		{lockCase{"a variable has the channel", "func (t *T) first() {\n\tt.mu.Lock()\n\tdefer t.mu.Unlock()\n" +
			"\t<-t.done // first\n}\nfunc (t *T) put() {\n\tt.mu.Lock() // put\n\tt.done <- 1\n\tt.mu.Unlock()\n}\n" +
			"func second(t *T) {\n\tch := t.done\n\tclose(ch)\n}\n", "1 [chan receive]: first\n2 [sync.Mutex.Lock]: put\n",
			"sure main.(*T).first | low main.(*T).first"}, "TR465", "ch := t.done", "ch := make(chan int)", ""},
		{lockCase{"another lock of the same wrapper is needed", "type W struct{ sync.Mutex }\ntype P struct {\n\tin, out W\n\tdone chan int\n}\n" +
			"func (p *P) first() {\n\tp.in.Lock()\n\tdefer p.in.Unlock()\n\t<-p.done // first\n}\nfunc (p *P) put() {\n\tp.in.Lock() // put\n" +
			"\tp.done <- 1\n\tp.in.Unlock()\n}\nfunc (p *P) late() {\n\tp.out.Lock()\n\tp.done <- 2\n\tp.out.Unlock()\n}\n",
			"1 [chan receive]: first\n2 [sync.Mutex.Lock]: put\n", "sure main.(*P).first | low main.(*P).first"},
			"TR465", "\tp.out.Lock()\n\tp.done <- 2\n\tp.out.Unlock()", "\tp.in.Lock()\n\tp.done <- 2\n\tp.in.Unlock()", ""},
	})
}

// checkHealthy checks that no rule says anything about healthy programs, and that the rule of each names the fault.
func checkHealthy(t *testing.T, cases []healthyCase) {
	t.Helper()
	for _, c := range cases {
		for _, rule := range []*rules.Rule{ruleOf("TR463"), ruleOf("TR464"), ruleOf("TR465")} {
			checkLocks(t, rule, []lockCase{{c.name, c.source, c.dump, ""}})
		}
		fault := c.lockCase
		fault.name, fault.source = "not so: "+c.name, strings.Replace(c.source, c.from, c.to, 1)
		if fault.source == c.source {
			t.Fatalf("%s: no fault", c.name)
		}
		if c.dumpThen != "" {
			fault.dump = c.dumpThen
		}
		checkLocks(t, ruleOf(c.rule), []lockCase{fault})
	}
}

package gocode

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

const head = `package p

import "sync"

type T struct {
	mu, other sync.Mutex
	rw        sync.RWMutex
	cond      *sync.Cond
	n         int
}

`

// siteOf is the place of the first line of a text that has mark in it.
func siteOf(t *testing.T, text, mark string) *Site {
	t.Helper()
	p := New([]File{{"p.go", text}}, "p.go", false)
	if p == nil {
		t.Fatalf("not parsed:\n%.500s", text)
	}
	return siteIn(p, text, mark)
}

// siteIn is siteOf in a package that was parsed before.
func siteIn(p *Package, text, mark string) *Site {
	line := 0
	for l := range strings.Lines(text) {
		line++
		if strings.Contains(l, mark) {
			break
		}
	}
	fn, decl := p.At("p.go", line, "")
	return &Site{Package: p, File: "p.go", Line: line, Fn: fn, Decl: decl}
}

// heldAt writes what is held where the line "// here" calls p.call: "must t.mu, may t.other".
func heldAt(t *testing.T, text string) string {
	t.Helper()
	held, ok := siteOf(t, head+text+"\nfunc call() {}\n", "// here").Locks("p.call")
	if !ok {
		return "unknown"
	}
	var all []string
	for _, h := range held {
		word := "may "
		if h.Must {
			word = "must "
		}
		all = append(all, word+h.Path.String())
	}
	return strings.Join(all, ", ")
}

func TestWhatAFunctionHoldsAtALine(t *testing.T) {
	for _, c := range []struct{ name, body, want string }{
		{"a lock", "t.mu.Lock(); defer t.mu.Unlock()\n call() // here", "must t.mu"},
		{"a lock that was released", "t.mu.Lock(); t.mu.Unlock()\n call() // here", ""},
		{"on one way", "if t.n > 0 { t.mu.Lock() }\n call() // here", "may t.mu"},
		{"released on one way", "t.mu.Lock(); if t.n > 0 { t.mu.Unlock() }\n call() // here", "may t.mu"},
		{"by a method that locks", "t.lock()\n call() // here", "must t.mu"},
		{"released by a method", "t.mu.Lock(); t.unlock()\n call() // here", ""},
		{"tried", "t.mu.TryLock()\n call() // here", "may t.mu"},
		{"before a loop", "t.mu.Lock(); for t.n < 3 { t.n++ }\n call() // here", "must t.mu"},
		{"in a loop that releases", "for { t.mu.Lock(); if t.n > 0 { t.mu.Unlock(); continue }\n call() // here\nt.mu.Unlock() }",
			"must t.mu"},
		{"a lock of another object may be the same", "o := &T{}; t.mu.Lock(); u := o; u.mu.Unlock()\n call() // here", "may t.mu"},
		{"a function at once", "func() { t.mu.Lock() }()\n call() // here", "must t.mu"},
		{"what comes back locked", "o := made()\n o.n++\n call() // here", "must call"},
		{"a call that gives it away for a while", "t.mu.Lock(); t.pause()\n call() // here", "may t.mu"},
		{"a deferred call", "t.mu.Lock(); defer call()\n call() // here", "unknown"},
		{"behind a call that never returns", "if t.n > 0 { t.mu.Lock(); panic(1) }\n call() // here", ""},
		{"a Cond's lock", "t.cond.L.Lock()\n call() // here", "must t.cond.L"},
	} {
		text := "func (t *T) f() {\n" + c.body + "\n}\nfunc (t *T) lock() { t.mu.Lock() }\nfunc (t *T) unlock() { t.mu.Unlock() }\n" +
			"func (t *T) pause() { if t.n > 0 { return }; t.mu.Unlock(); t.n++; t.mu.Lock() }\n" +
			"func made() *T { t := &T{}; t.mu.Lock(); return t }\nfunc use(f func()) { f() }\n"
		got := heldAt(t, text)
		if got != c.want && (c.want != "must call" || !strings.HasPrefix(got, c.want)) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// left lists the functions that return with a lock, and which.
func left(t *testing.T, text string) string {
	t.Helper()
	p := New([]File{{"p.go", head + text}}, "p.go", false)
	var all []string
	var found []Left
	p.inLocks(func(l *locks) { found = l.left })
	for _, f := range found {
		if p.Sure(f.Lock) {
			all = append(all, Name(f.Fn, f.Decl)+" "+f.Lock.String())
		}
	}
	return strings.Join(slices.Compact(all), ", ")
}

func TestAReturnThatLeavesALockTakenIsNamed(t *testing.T) {
	const bug = "func (t *T) f() int { t.mu.Lock(); if t.n > 0 { return 1 }; t.mu.Unlock(); return 0 }\n"
	for _, c := range []struct{ name, text, want string }{
		{"one of two returns", bug, "(*T).f t.mu"},
		{"before the defer", "func (t *T) f() { t.mu.Lock(); if t.n > 0 { return }; defer t.mu.Unlock(); t.n++ }\n", "(*T).f t.mu"},
		{"in a literal", "func f(t *T) { go func() { t.mu.Lock(); if t.n > 0 { return }; t.mu.Unlock() }() }\n",
			"a function in f t.mu"},
		// Near misses: what healthy code looks like.
		{"beside a method that expects the lock", bug + "func (t *T) g() { t.mu.Lock(); t.done() }\n" +
			"func (t *T) done() { t.n--; t.mu.Unlock() }\n", ""},
		{"beside a deferred method that unlocks", bug + "func (t *T) g() { t.mu.Lock(); defer t.done() }\n" +
			"func (t *T) done() { t.mu.Unlock() }\n", ""},
		{"a method that locks", "func (t *T) lock() { t.mu.Lock() }\n", ""},
		{"early returns before a hand-over", "func (t *T) f() bool { if t.n > 0 { return false }; t.mu.Lock(); return true }\n", ""},
		{"whoever got it unlocks", bug + "func (t *T) Done() { t.mu.Unlock() }\n", ""},
		{"by another method in a defer", bug + "func (t *T) g() { if t.f() > 0 { defer t.done() } }\nfunc (t *T) done() { t.mu.Unlock() }\n", ""},
		{"a function value unlocks", bug + "func (t *T) g() func() { return t.mu.Unlock }\n", ""},
		{"a closure unlocks", bug + "func (t *T) g() func() { return func() { t.mu.Unlock() } }\n", ""},
		{"a goroutine unlocks", "func (t *T) f() int { t.mu.Lock(); if t.n > 0 { go func() { t.n++; t.mu.Unlock() }(); return 1 }; " +
			"t.mu.Unlock(); return 0 }\n", ""},
		{"a goroutine that waits for a Cond unlocks", "func (t *T) f() int { t.cond.L.Lock(); if t.n > 0 { " +
			"go func() { t.cond.Wait() }(); return 1 }; t.cond.L.Unlock(); return 0 }\n", ""},
		{"under a condition that comes again", "func (t *T) f(b bool) { if b { t.mu.Lock() }; t.n++; if b { t.mu.Unlock() } }\n", ""},
		{"it was tried", "func (t *T) f() bool { if !t.mu.TryLock() { return false }; t.mu.Unlock(); return true }\n", ""},
		{"it ends the process", "func (t *T) f() { t.mu.Lock(); if t.n > 0 { panic(1) }; t.mu.Unlock() }\n", ""},
		{"it is unlocked and locked again", "func (t *T) f() { t.mu.Unlock(); t.n++; t.mu.Lock() }\n", ""},
	} {
		if got := left(t, c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestHostileCodeIsUnknown(t *testing.T) {
	deep := strings.Repeat("if t.n > 0 { t.mu.Lock()\n", 3000) + strings.Repeat("}\n", 3000)
	for name, text := range map[string]string{
		"a huge function":  "func (t *T) f() {\n" + deep + "call() // here\n}\nfunc call() {}\n",
		"jumps to nowhere": "func (t *T) f() { goto x; break; continue y; t.mu.Lock()\n call() // here\n}\nfunc call() {}\n",
		"no types":         "func (t *Q) f() { t.mu.Lock(); x.y().z.Unlock()\n call() // here\n}\nfunc call() {}\n",
	} {
		p := New([]File{{"p.go", head + text}}, "p.go", false)
		if p == nil {
			continue // on a slow machine checking it takes too long, which makes it unknown as well
		}
		held, _ := siteIn(p, head+text, "// here").Locks("p.call")
		for _, h := range held {
			if h.Must {
				t.Errorf("%s: it holds %s for sure", name, h.Path)
			}
		}
	}
}

func TestCodeThatGrowsWithoutBoundIsUnknown(t *testing.T) {
	t.Parallel()
	lines := func(n int, format string) string {
		var b strings.Builder
		for i := range n {
			b.WriteString(strings.NewReplacer("NEXT", fmt.Sprint("c", i+1), "LAST", fmt.Sprint("c", i)).Replace(format))
		}
		return b.String()
	}
	for name, text := range map[string]string{
		"strings of 2^40 bytes":  "const c0 = \"x\"\n" + lines(40, "const NEXT = LAST + LAST\n") + "var v = len(c40)\n",
		"strings of runes":       "const c0 = string('x')\n" + lines(40, "const NEXT = LAST + LAST\n") + "var v = len(c40)\n",
		"aliases of 2^40 fields": "type c0 = int\n" + lines(40, "type NEXT = struct{ a, b LAST }\n") + "type N c40\n",
		"generic aliases":        "type c[P any] = func(P, P)\nfunc f[Q any](x " + strings.Repeat("c[", 40) + "Q" + strings.Repeat("]", 40) + ") {}\n",
		"types without end":      "type L[P any] struct{ M[*P] }\ntype M[P any] struct{ L[P] }\nvar l L[int]\nvar v = l.x.y\n",
	} {
		begin := time.Now()
		p := New([]File{{"p.go", "package p\n" + text}}, "p.go", false)
		if took := time.Since(begin); p != nil || took > time.Minute {
			t.Errorf("%s: checked %v after %v", name, p != nil, took)
		}
	}
	for name, text := range map[string]string{
		"numbers":    "const c0 = 3\n" + lines(15, "const NEXT = LAST * LAST\n") + "var v = c15\n",
		"a long one": "const c = \"" + strings.Repeat("x", 500_000) + "\"\nvar v = len(c)\n",
	} {
		if New([]File{{"p.go", "package p\n" + text}}, "p.go", false) == nil {
			t.Errorf("%s: not checked", name)
		}
	}
}

func TestALockIsSureWhereOnlyItsPackageCanWorkOnIt(t *testing.T) {
	const use = "func (t *T) f() {\n\tt.mu.Lock() // here\n\tdefer t.mu.Unlock()\n}\n"
	for _, c := range []struct {
		name, text string
		sure       bool
	}{
		{"locked and unlocked", use, true},
		{"unlocked on two ways", use + "func (t *T) g() {\n t.mu.Lock()\n if t.n > 0 { t.mu.Unlock(); return }\n t.mu.Unlock()\n}\n", true},
		{"unlocked by a deferred literal", use + "func (t *T) g() {\n t.mu.Lock()\n defer func() { t.n++; t.mu.Unlock() }()\n}\n", true},
		{"unlocked for a while", use + "func (t *T) g() {\n t.mu.Lock(); t.mu.Unlock(); t.mu.Lock(); t.mu.Unlock()\n}\n", true},
		{"of a Cond", use + "func (t *T) g() { t.cond = sync.NewCond(&t.mu); t.cond.Wait() }\n", false},
		{"set with the object", use + "func g() *T { return &T{mu: sync.Mutex{}} }\n", true},
		// What others may hold, or release.
		{"unlocked by a caller that got an error", use + "func (t *T) g() { if t.n > 0 { t.n++; t.mu.Unlock() } }\n", false},
		{"locked on one way, unlocked on both", use + "func (t *T) g(b bool) { if b { t.mu.Lock() }; t.mu.Unlock() }\n", false},
		{"unlocked by a goroutine", use + "func (t *T) g() { t.mu.Lock(); go func() { t.mu.Unlock() }() }\n", false},
		{"unlocked by a go statement", use + "func (t *T) g() { t.mu.Lock(); go t.mu.Unlock() }\n", false},
		{"unlocked by a deferred call that took nothing", use + "func (t *T) g() { defer t.mu.Unlock() }\n", false},
		{"unlocked by what is returned", use + "func (t *T) g() func() { t.mu.Lock(); return func() { t.mu.Unlock() } }\n", false},
		{"its method leaves", use + "func (t *T) g() func() { t.mu.Lock(); return t.mu.Unlock }\n", false},
		{"its address leaves", use + "func g(f func(*sync.Mutex)) { t := &T{}; f(&t.mu) }\n", false},
		{"its address is kept", use + "func (t *T) g() { m := &t.mu; m.Lock() }\n", false},
		{"as a Locker", use + "func (t *T) g() { var l sync.Locker = &t.mu; l.Lock() }\n", false},
		{"it is copied", use + "func (t *T) g() { m := t.mu; m.Lock() }\n", false},
		{"as the lock of a Cond", use + "func (t *T) g() { t.cond = sync.NewCond(&t.mu); t.cond.L.Lock() }\n", false},
		{"of a Cond that leaves", use + "func (t *T) g() *sync.Cond { t.cond = sync.NewCond(&t.mu); return t.cond }\n", false},
		{"of a Cond of nobody", use + "func (t *T) g() { wait(sync.NewCond(&t.mu)) }\nfunc wait(c *sync.Cond) {}\n", false},
		{"of a read lock as a Locker", "func (t *T) f() {\n t.rw.RLock() // here\n t.rw.RUnlock()\n}\n" +
			"func (t *T) g() sync.Locker { return t.rw.RLocker() }\n", false},
		{"a lock that was given", "func f(m *sync.Mutex) {\n m.Lock() // here\n m.Unlock()\n}\n", false},
		{"a lock from elsewhere", "func f(get func() *sync.Mutex) {\n m := get()\n m.Lock() // here\n m.Unlock()\n}\n", false},
		{"a lock of its own", "func f() {\n m := &sync.Mutex{}\n m.Lock() // here\n m.Unlock()\n}\n", true},
		{"embedded", "type E struct { sync.Mutex }\nfunc (e *E) f() {\n e.Lock() // here\n e.Unlock()\n}\n", false},
		{"embedded, of an object that leaves", "type E struct { sync.Mutex }\nfunc (e *E) f(give func(any)) {\n" +
			" e.Lock() // here\n e.Unlock()\n give(e)\n}\n", false},
		{"embedded, as a Locker", "type E struct { sync.Mutex }\nfunc (e *E) f() {\n e.Lock() // here\n e.Unlock()\n}\n" +
			"func g() sync.Locker { return &E{} }\n", false},
	} {
		s := siteOf(t, head+c.text, "// here")
		callee := "sync.(*Mutex).Lock"
		if strings.Contains(c.text, "RLock()") {
			callee = "sync.(*RWMutex).RLock"
		}
		p, ok := s.WaitsFor(callee)
		if !ok {
			t.Errorf("%s: no lock", c.name)
		} else if got := s.Sure(p); got != c.sure {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestFunctionsThatAllCallEachOtherAreCheckedInTime(t *testing.T) {
	var b strings.Builder
	b.WriteString(head)
	const n = 3000
	for i := range n {
		fmt.Fprintf(&b, "func (t *T) f%d() { t.f%d(); t.f%d(); t.f%d() }\n", i, (i+1)%n, i*7%n, i*13%n)
	}
	b.WriteString("func (t *T) twice() {\n\tt.mu.Lock()\n\tcall() // here\n}\n")
	if got := heldAt(t, strings.TrimPrefix(b.String(), head)); got != "must t.mu" {
		t.Errorf("%s is held, want t.mu", got)
	}
}

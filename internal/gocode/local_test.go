package gocode

import (
	"fmt"
	"go/ast"
	"strings"
	"testing"
	"time"
)

const shared = `package p

func outer() {
	go func() { work() }()
	func() {
		go func() { work() }(); work()
	}()
	go func() { work() }(); go func() { work() }()
	work()
}
`

func TestAFrameIsOfTheFunctionThatItsNameMeans(t *testing.T) {
	p := New([]File{{"p.go", shared}}, "p.go", false)
	for _, c := range []struct {
		name string
		line int
		want string
	}{
		{"p.outer", 9, "outer"},
		{"p.outer", 4, "outer"},
		{"p.outer.func1", 4, "func in line 4"},
		{"p.outer.gowrap1", 4, "outer"},
		{"p.outer.func2.1", 6, "func in line 6"},
		{"p.outer.func2", 6, "func in line 5"},
		{"p.outer.func2.1.gowrap1", 6, "func in line 6"},
		{"p.caller.outer.func1", 4, "func in line 4"},
		{"p.(*T).Run.outer.func2.1", 6, "func in line 6"},
		{"p.outer.func3", 8, ""}, // one of two
		{"p.outer", 8, "outer"},
		{"p.outer", 99, ""},
	} {
		fn, _ := p.At("/src/p.go", c.line, c.name)
		got := ""
		switch fn := fn.(type) {
		case *ast.FuncDecl:
			got = fn.Name.Name
		case *ast.FuncLit:
			got = fmt.Sprintf("func in line %d", p.Line(fn.Pos()))
		}
		if got != c.want {
			t.Errorf("%s in line %d: %q, want %q", c.name, c.line, got, c.want)
		}
	}
}

func TestALineWaitsForOneThing(t *testing.T) {
	for _, c := range []struct {
		claim, line string
		kind        Kind
		want        string
	}{
		{"a send", "a <- 1", Send, "[a]"},
		{"a send of what is received: to send", "a <- <-b", Send, "[a]"},
		{"a send of what is received: to receive", "a <- <-b", Receive, "[b]"},
		{"a receive in a call", "f(<-a)", Receive, "[a]"},
		{"a loop over a channel", "for range a {}", Receive, "[a]"},
		{"a select", "select { case <-a: case b <- 1: }", Select, "[a b]"},
		{"a select of one case is that", "select { case <-a: }", Receive, "[a]"},
		{"a group", "wg.Wait()", GroupWait, "[wg]"},
		// Near misses.
		{"two receives", "f(<-a + <-b)", Receive, ""},
		{"a select's case is none by itself", "select { case <-a: case b <- 1: }", Receive, ""},
		{"a select that doesn't wait", "select { case <-a: default: }", Select, ""},
		{"a receive that doesn't wait", "select { case <-a: default: }", Receive, ""},
		{"a goroutine's receive", "go func() { <-a }()", Receive, ""},
		{"a loop over numbers", "for range []int{1} {}", Receive, ""},
		{"another type's Wait", "f.Wait()", GroupWait, ""},
	} {
		src := "package p\nimport \"sync\"\nfunc g(a, b chan int, f F) {\nvar wg sync.WaitGroup\n" + c.line + "\n}\n"
		p := New([]File{{"p.go", src}}, "p.go", false)
		fn, decl := p.At("p.go", 5, "p.g")
		s := &Site{Package: p, Line: 5, Fn: fn, Decl: decl}
		got := ""
		if w := s.Wait(c.kind); w != nil {
			got = fmt.Sprint(w.On)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", c.claim, got, c.want)
		}
	}
}

// ask asks all that rules ask about a place.
func ask(s *Site) {
	for _, callee := range []string{"sync.(*Mutex).Lock", "sync.(*WaitGroup).Wait", "runtime.chanrecv1", "runtime.chansend1", "p.f"} {
		if p, ok := s.WaitsFor(callee); ok {
			s.Sure(p)
			s.Takes(p)
			s.LeftLocked(p)
			s.Given(callee, s, p)
		}
		s.Locks(callee)
	}
	for kind := Send; kind <= CondWait; kind++ {
		w := s.Wait(kind)
		if w == nil {
			continue
		}
		s.InLoop(w.At)
		s.CouldEnd(kind)
		for i, e := range w.On {
			s.Makes(e)
			o := s.Object(e)
			if o == nil {
				continue
			}
			o.Local()
			ways := s.Ways(o, w.Ops[i])
			s.Leads("p.f", nil, ways)
			s.Leads("p.f", w, ways)
			s.Need(ways.Enders, s.path(e))
		}
	}
}

// maxTime is how long one small file may take: a hundred times what it should, on a busy machine.
const maxTime = 10 * time.Second

func FuzzPackage(f *testing.F) {
	f.Add(shared)
	f.Add("package p\nimport \"sync\"\nfunc f() {\nvar wg sync.WaitGroup\nch := make(chan int, 1)\n" +
		"wg.Go(func() { select { case ch <- 1: case <-ch: default: } })\ngo g(ch, &wg)\nfor range ch {}\nwg.Wait()\n}\n" +
		"func g(ch chan<- int, wg *sync.WaitGroup) { defer wg.Done(); h := func() { close(ch) }; defer h() }\n")
	f.Add("package p\nfunc f[T any](ch chan T) (r chan T) { f(ch); func(c chan T) { f(c) }(ch); return }\n")
	f.Add("package p\nfunc f() { goto f; f: ch := make(chan int); for ch := range ch { ch <- } }\n")
	f.Add("package p\ntype T struct{ T }\nfunc (T) m(ch chan T) { ch <- <-ch; x.m(ch); T.m(T{}, ch) }\n")
	f.Add("package p\nfunc f() { var f func(); f = func() { f() }; f() }\n")
	f.Add("package p\nimport \"sync\"\ntype T struct { mu sync.Mutex; rw sync.RWMutex; c chan int; wg sync.WaitGroup }\n" +
		"func (t *T) f() {\nt.mu.Lock()\ndefer t.mu.Unlock()\nif t.g() { return }\nt.wg.Wait()\nt.c <- 1\n<-t.c\n}\n" +
		"func (t *T) g() bool {\nt.rw.RLock()\ngo func() {\nt.mu.Lock()\nt.wg.Done()\nclose(t.c)\n}()\nreturn t.rw.TryLock()\n}\n")
	f.Add("package p\nimport \"sync\"\ntype T[K any] struct { sync.Locker; *sync.Cond; k *T[K] }\n" +
		"func (t *T[K]) f(m *sync.Mutex) {\nfor range t.k.k.f {\nt.Lock()\n}\nt.L.Lock(); t.Wait()\nm.Lock()\nt.f(m)\n}\n")
	f.Add("package p\nfunc _() { ch := make(chan int); ((ch)) <- 1; (<-(ch)); go (func() { (close)(ch) })() }\n")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		begin := time.Now()
		p := New([]File{{"p.go", text}}, "p.go", false)
		if p == nil {
			return
		}
		for line := range strings.Count(text, "\n") + 2 {
			for _, name := range []string{"p.f", "p.f.func1", "p.f.func1.2"} {
				fn, decl := p.At("p.go", line, name)
				if fn == nil {
					continue
				}
				s := &Site{Package: p, File: "p.go", Line: line, Fn: fn, Decl: decl}
				ask(s)
			}
		}
		if took := time.Since(begin); took > maxTime {
			t.Errorf("%d bytes took %v", len(text), took)
		}
	})
}

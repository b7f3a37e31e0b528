package gocode

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

const ended = `package p

import ("context"; "sync"; "time")

type hub struct {
	in, out chan int
	stop    chan struct{}
	wg      sync.WaitGroup
	cond    *sync.Cond
}

var ready = make(chan bool)

func (h *hub) put(v int) { h.in <- v }

func (h *hub) run(ctx context.Context, t *time.Ticker) {
	for {
		select {
		case v := <-h.in: _ = v
		case <-h.stop: return
		case <-ctx.Done(): return
		}
		select {
		case <-h.in:
		case <-t.C:
		}
		select {
		case <-h.in:
		case <-time.After(1):
		}
	}
}

func (h *hub) close() {
	close(h.stop)
	go func() {
		defer h.wg.Done()
		for range h.out { h.cond.Broadcast() }
	}()
	h.wg.Wait()
	h.cond.Wait()
	<-ready
}

func (h *hub) each(out chan int) { out <- 1 }

func (h *hub) all() {
	h.each(h.out)
	done := make(chan bool)
	go func() { h.put(1); done <- true }()
	<-done
}

func Open() { ready <- true; m := map[int]chan int{}; <-m[1] }
`

func TestWhatCouldEndAWaitIsWhereTheCodeSendsClosesOrWakes(t *testing.T) {
	p := New([]File{{"p.go", ended}}, "p.go", false)
	for _, c := range []struct {
		code, function string
		kind           Kind
		want           string
	}{
		{"h.in <- v", "p.(*hub).put", Send, "(*hub).run:19 (*hub).run:24 (*hub).run:28"},
		{"select {\n\t\tcase v :=", "p.(*hub).run", Select, "(*hub).put:14 (*hub).close:35"},
		{"select {\n\t\tcase <-h.in:\n\t\tcase <-t.C", "p.(*hub).run", Select, ""},
		{"select {\n\t\tcase <-h.in:\n\t\tcase <-time.After", "p.(*hub).run", Select, ""},
		{"h.wg.Wait()", "p.(*hub).close", GroupWait, "a function in (*hub).close:37"},
		{"h.cond.Wait()", "p.(*hub).close", CondWait, "a function in (*hub).close:38"},
		{"for range h.out", "p.(*hub).close.func1", Receive, "(*hub).each:45"}, // by a parameter
		{"<-ready", "p.(*hub).close", Receive, "Open:54"},
		{"<-done", "p.(*hub).all", Receive, "a function in (*hub).all:50"},
		{"<-m[1]", "p.Open", Receive, ""},
	} {
		line := 1 + strings.Count(ended[:strings.Index(ended, c.code)], "\n")
		fn, decl := p.At("p.go", line, c.function)
		if fn == nil {
			t.Fatalf("%s: no function in line %d", c.code, line)
		}
		uses := (&Site{Package: p, File: "p.go", Line: line, Fn: fn, Decl: decl}).CouldEnd(c.kind)
		var got []string
		for _, u := range uses {
			got = append(got, fmt.Sprintf("%s:%d", Name(u.Fn, u.Decl), p.Line(u.At)))
		}
		text := strings.Join(slices.Compact(got), " ")
		if text != c.want {
			t.Errorf("%s in line %d: %q, want %q", c.code, line, text, c.want)
		}
	}
}

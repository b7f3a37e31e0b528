package waitgraph

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOrphan_WhatIsKnownOfThoseWhoWait(t *testing.T) {
	tests := []struct {
		name, notes string
		want        []string
	}{
		{"a channel each", "7 send a000: m.f() a.go:1\n8 send b000: m.f() a.go:1\n9 send c000: m.f() a.go:1", []string{"7 send channel 3 objects=3 most=1"}},
		{"two of three at one channel", "7 receive a000: m.f() a.go:1\n8 receive b000: m.f() a.go:1\n9 receive a000: m.f() a.go:1", []string{"7 receive channel 3 objects=2 most=2"}},
		{"no addresses", "7 receive -: m.f() a.go:1\n8 receive -: m.f() a.go:1", []string{"7 receive channel 2"}},
		{"a WaitGroup", "7 waitgroup a000 3m: m.f() a.go:1", []string{"7 wait waitgroup 1 objects=1 most=1 minutes=3"}},
		{"a Cond", "7 cond a000: m.f() a.go:1\n8 cond a000: m.f() a.go:1", []string{"7 wait cond 2 objects=1 most=2"}},
		{"a semaphore", "7 semaphore a000: m.f() a.go:1", []string{"7 wait semaphore 1 objects=1 most=1"}},
		{"a select", "7 select: m.f() a.go:1\n8 select: m.f() a.go:1", []string{"7 wait channel 2 select"}},
		{"one was woken", "7 receive a000: m.f() a.go:1\n8 woken receive b000: m.f() a.go:1", []string{"7 receive channel 1 objects=1 most=1"}},
		// Near misses.
		{"all were woken", "7 woken receive a000: m.f() a.go:1", []string{}},
		{"locks have holders", "7 lock a000: m.f() a.go:1", []string{}},
		{"the world outside", "7 io a000: m.f() a.go:1\n8 sleep: m.g() a.go:1\n9 syscall: m.h() a.go:1\n10 run: m.i() a.go:1", []string{}},
		{"nobody's code", "7 receive a000: runtime.forcegchelper() proc.go:1", []string{}},
	}
	for _, test := range tests {
		d, g := build(t, test.notes)
		if diff := cmp.Diff(test.want, orphansText(d, g)); diff != "" {
			t.Errorf("%s: want (-), got (+):\n%s", test.name, diff)
		}
	}
}

func TestOrphan_ThoseWhoMayWaitForEverAreNone(t *testing.T) {
	const notes = "7 receive a000: m.f() a.go:1\n8 receive b000: m.g() a.go:1"
	d, g := build(t, notes, "m.f")
	if got, want := strings.Join(orphansText(d, g), ", "), "8 receive channel 1 objects=1 most=1"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestOrphan_WhomABlockageExplainsIsNone(t *testing.T) {
	d, g := build(t, "7 lock c000018: m.(*store).get(c000000) a.go:12\n9 send d000: m.(*store).put(c000000) a.go:40; m.serve() s.go:1")
	if len(g.Blockages) != 1 || len(g.Orphans) != 0 {
		t.Errorf("%v, %v", blockagesText(d, g), orphansText(d, g))
	}
}

func TestOrphan_WhoCouldServeIt(t *testing.T) {
	const waits = "9 receive a000: m.wait() a.go:1 < m.start 5\n"
	tests := []struct{ name, notes, want string }{
		{"its parent has ended", waits, "9 receive channel 1 objects=1 most=1 parents=1 gone=1"},
		{"no parent is printed", strings.Replace(waits, " 5", "", 1), "9 receive channel 1 objects=1 most=1"},
		{"its parent is at work", waits + "5 io b000: x.read() x.go:1; m.start() s.go:1", "9 receive channel 1 objects=1 most=1 parents=1 served=1"},
		{"its parent went on to other work", waits + "5 io b000: x.read() x.go:1; m.serve() s.go:1", "9 receive channel 1 objects=1 most=1 parents=1 returned=1"},
		{"it waits in a WaitGroup for its brother, which waits for work", strings.Replace(waits, "receive", "waitgroup", 1) +
			"10 receive b000: m.pump() a.go:9 < m.start 5\n", "9 wait waitgroup 1 objects=1 most=1 parents=1 gone=1 served=1"},
		{"its brother waits for work", waits + "10 receive b000: m.pump() a.go:9 < m.start 5\n",
			"9 receive channel 1 objects=1 most=1 parents=1 gone=1"},
		{"its brother, which a WaitGroup started, is at work", waits + "10 sleep: x.work() x.go:1; m.start.func1() s.go:3; " +
			"sync.(*WaitGroup).Go.func1() wg.go:9 < sync.(*WaitGroup).Go 5", "9 receive channel 1 objects=1 most=1 parents=1 gone=1 served=1"},
		{"a WaitGroup of another function started it", waits + "10 sleep: x.work() x.go:1; m.other.func1() s.go:3; " +
			"sync.(*WaitGroup).Go.func1() wg.go:9 < sync.(*WaitGroup).Go 5", "9 receive channel 1 objects=1 most=1 parents=1 gone=1"},
		{"its child is at work", waits + "10 sleep: x.work() x.go:1 < m.wait 9", "9 receive channel 1 objects=1 most=1 parents=1 gone=1 served=1"},
		{"its child computes", waits + "10 run: x.work() x.go:1 < m.wait 9", "9 receive channel 1 objects=1 most=1 parents=1 gone=1 served=1"},
		{"a sibling of one creator is at work", waits + "10 syscall: x.work() x.go:1 < m.start 5", "9 receive channel 1 objects=1 most=1 parents=1 gone=1 served=1"},
		// Near misses.
		{"a sibling that another function started", waits + "10 syscall: x.work() x.go:1 < m.other 5", "9 receive channel 1 objects=1 most=1 parents=1 gone=1"},
		{"a child of another", waits + "10 syscall: x.work() x.go:1 < m.start 6", "9 receive channel 1 objects=1 most=1 parents=1 gone=1"},
	}
	for _, test := range tests {
		d, g := build(t, test.notes)
		if got := orphansText(d, g); len(got) == 0 || got[0] != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

func TestOrphan_IsExplainedByRelativesThatAreStuckThemselves(t *testing.T) {
	const (
		group = "9 waitgroup a000: m.wait() a.go:1 < m.start 5\n"
		lock  = "7 lock c000018: m.(*store).get(c000000) a.go:12; m.work() w.go:1 < m.wait 9\n8 send d000: m.(*store).put(c000000) a.go:40; m.serve() s.go:1\n"
	)
	tests := []struct {
		name, notes string
		want        bool
	}{
		{"a child behind a lock", group + lock, true},
		{"a child that sends", group + "10 send b000: x.work() x.go:1 < m.wait 9", true},
		{"a child that receives, of one who waits for its end", group + "10 receive b000: x.work() x.go:1 < m.wait 9", true},
		{"a parent behind a lock", strings.Replace(lock, "7 lock", "5 lock", 1) + "9 receive a000: m.wait() a.go:1 < m.start 5", true},
		// Near misses.
		{"no child", group, false},
		{"a child that is at work", group + "10 io b000: x.work() x.go:1 < m.wait 9", false},
		{"a child that receives, of one who does not wait for its end", "9 receive a000: m.wait() a.go:1 < m.start 5\n10 receive b000: x.work() x.go:1 < m.wait 9", false},
		{"a parent that waits for a channel", "5 receive b000: m.start() a.go:1\n9 receive a000: m.wait() a.go:1 < m.start 5", false},
	}
	for _, test := range tests {
		d, g := build(t, test.notes)
		found := false
		for _, o := range g.Orphans {
			if idOf(d, Ref{o.Bucket, 0}) != "9" {
				continue
			}
			found = true
			if o.Explained != test.want {
				t.Errorf("%s: explained %v: %q", test.name, o.Explained, orphansText(d, g))
			}
		}
		if !found {
			t.Errorf("%s: goroutine 9 is no orphan: %q", test.name, orphansText(d, g))
		}
	}
}

func TestOrphan_OfManyTheServedAreScaled(t *testing.T) {
	// Every second goroutine has a child at work; the first 64 are looked at.
	var notes strings.Builder
	const n = 10 * maxMembers
	for i := range n {
		fmt.Fprintf(&notes, "%d receive a000: m.wait() a.go:1\n", 1000+i)
		if i%2 == 0 {
			fmt.Fprintf(&notes, "%d io b000: x.read() x.go:1 < m.wait %d\n", 5000+i, 1000+i)
		}
	}
	_, g := build(t, notes.String())
	if o := g.Orphans[0]; o.Count != n || o.Served != n/2 || o.Most != n {
		t.Errorf("%+v", o)
	}
}

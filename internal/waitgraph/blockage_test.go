package waitgraph

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A blockageTest is a dump in short notes and the blockages that it shows.
type blockageTest struct {
	name, notes string
	want        []string
}

func runBlockages(t *testing.T, tests []blockageTest) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d, g := build(t, test.notes)
			if diff := cmp.Diff(test.want, blockagesText(d, g)); diff != "" {
				t.Errorf("%s\nwant (-), got (+):\n%s", test.notes, diff)
			}
		})
	}
}

func TestBlockage_WhatTheHolderWaitsFor(t *testing.T) {
	const waiter = "7 lock c000018: m.(*store).get(c000000) a.go:12; m.serve() s.go:3\n"
	holder := func(primitive string) string {
		return waiter + "9 " + primitive + ": m.(*store).flush(c000000) a.go:40; m.serve() s.go:9; m.run() s.go:20\n"
	}
	runBlockages(t, []blockageTest{
		{"send", holder("send d000"), []string{"held in channel 1: mutex c000018 7<-9/sure"}},
		{"receive", holder("receive d000"), []string{"held in channel 1: mutex c000018 7<-9/sure"}},
		{"nil channel", holder("nilchan"), []string{"held in channel 1: mutex c000018 7<-9/sure"}},
		{"select", holder("select"), []string{"held in channel 1: mutex c000018 7<-9/sure"}},
		{"WaitGroup", holder("waitgroup d000"), []string{"held in waitgroup 1: mutex c000018 7<-9/sure"}},
		{"Cond", holder("cond d000"), []string{"held in cond 1: mutex c000018 7<-9/object"}},
		{"network", holder("io d000"), []string{"held 1: mutex c000018 7<-9/sure"}},
		{"sleep", holder("sleep"), []string{"held 1: mutex c000018 7<-9/sure"}},
		{"system call", holder("syscall"), []string{"held 1: mutex c000018 7<-9/sure"}},
		{"a file's lock", holder("semaphore d000"), []string{"held 1: mutex c000018 7<-9/sure"}},
		{"it computes", holder("run"), []string{"held 1 moves busy: mutex c000018 7<-9/sure"}},
		{"it was woken", holder("woken receive d000"), []string{"held in channel 1: mutex c000018 7<-9/sure"}},
		{"it works on another object", strings.ReplaceAll(holder("send d000"), "flush(c000000)", "flush(c800000)"), []string{"double lock 1: mutex c000018 7<-nobody"}},
	})
}

func TestBlockage_DoubleLock(t *testing.T) {
	runBlockages(t, []blockageTest{
		{"a method that locks calls another", "7 lock c000018: m.(*store).get(c000000) a.go:12; m.(*store).update(c000000) a.go:30", []string{"double lock 1: mutex c000018 7<-itself/object"}},
		{"a recursion", "7 lock c000018: m.(*store).get(c000000) a.go:12; m.(*store).walk(c000000) a.go:40; m.(*store).get(c000000) a.go:14", []string{"double lock 1: mutex c000018 7<-itself/sure"}},
		{"through a callback", "7 lock c000018: m.(*store).get(c000000) a.go:12; m.main.func1() b.go:5; m.(*store).each(c000000) a.go:50", []string{"double lock 1: mutex c000018 7<-itself/object"}},
		{"the words are not sure", "7 lock -: m.(*store).get(...) a.go:12; m.(*store).update(c000000?) a.go:30", []string{"double lock 1: mutex 0 7<-itself/type"}},
		{"nobody is left who holds it", "7 lock c000018: m.(*store).get(c000000) a.go:12; m.serve() b.go:3", []string{"double lock 1: mutex c000018 7<-nobody"}},
		{"nobody, and main rests in the file", "7 lock c000018: m.(*store).get(c000000) a.go:12; m.serve() b.go:3 < main.main 1\n1 nocases: main.main() a.go:47", []string{"double lock 1: mutex c000018 7<-nobody"}},
		{"nobody, many behind it", "7 lock c000018: m.(*store).get(c000000) a.go:12; m.serve() b.go:3\n8 lock c000018: m.(*store).put(c000000) a.go:22\n9 lock c000018: m.(*store).put(c000000) a.go:22", []string{"double lock 3: mutex c000018 7<-nobody"}},
		{"an upgrade", "7 pending c000018: m.(*store).set(c000000) a.go:12; m.(*store).list(c000000) a.go:40\n9 rlock c000018: m.(*store).get(c000000) a.go:15; m.serve() s.go:1", []string{"double lock 2: rwmutex c000018 7<-itself/object"}},
		{"a downgrade", "7 rlock c000018: m.(*store).get(c000000) a.go:12; m.(*store).set(c000000) a.go:40", []string{"double lock 1: rwmutex c000018 7<-itself/object"}},
		{"in a Once", "7 once c000018: m.(*pool).get(c000000) p.go:3; m.load() p.go:20; sync.(*Once).doSlow(c000018) once.go:70; sync.(*Once).Do(...) once.go:60; m.(*pool).get(c000000) p.go:3",
			[]string{"double lock 1: once c000018 7<-itself/sure"}},
		// Near misses: the outer call works on another object; so nothing shows that the goroutine holds the lock.
		{"an outer call on another object", "7 lock c000018: m.(*store).get(c000000) a.go:12; m.(*store).update(c800000) a.go:30", []string{"double lock 1: mutex c000018 7<-nobody"}},
		{"an outer call on an object that the lock lies behind, at another offset", "7 lock c000018: m.(*store).get(c000000) a.go:12; m.(*store).update(c000008) a.go:30", []string{"double lock 1: mutex c000018 7<-nobody"}},
		{"an outer call of another type", "7 lock c000018: m.(*store).get(c000000) a.go:12; m.(*server).update(c000000) b.go:30", []string{"double lock 1: mutex c000018 7<-nobody"}},
	})
}

func TestBlockage_WhoCameWhenOthersWaitedAlreadyHoldsNothing(t *testing.T) {
	const first = "7 lock c000018 4m: m.(*store).take(c000000) a.go:12; m.serve() s.go:3\n8 lock c000018 4m: m.(*store).take(c000000) a.go:12; m.serve() s.go:3\n"
	late := func(minutes, stack string) string { return first + "9 lock c000018 " + minutes + ": " + stack }
	const loop = "m.(*store).put(c000000) a.go:20; m.(*store).refill(c000000) a.go:30"
	runBlockages(t, []blockageTest{
		{"a loop came later", late("2m", loop), []string{"double lock 3 4m: mutex c000018 7<-nobody"}},
		// Near misses.
		{"it came as early", late("4m", loop), []string{"double lock 3 4m: mutex c000018 9<-itself/object"}},
		{"its outer call takes the lock", late("2m", "m.(*store).take(c000000) a.go:12; m.(*store).put(c000000) a.go:20; m.(*store).take(c000000) a.go:14"), []string{"double lock 3 4m: mutex c000018 9<-itself/sure"}},
		{"it called other code in between", late("2m", "m.(*store).put(c000000) a.go:20; x.visit() x.go:9; m.(*store).each(c000000) a.go:30"), []string{"double lock 3 4m: mutex c000018 9<-itself/object"}},
	})
}

func TestBlockage_CyclesOfLocks(t *testing.T) {
	const (
		ab = "7 lock b000018: m.(*b).get(b000000) b.go:1; m.(*a).f(a000000) a.go:2\n"
		ba = "8 lock a000018: m.(*a).get(a000000) a.go:9; m.(*b).f(b000000) b.go:2\n"
	)
	two := []string{"lock cycle 2: mutex b000018 7<-8/sure mutex a000018 8<-7/sure"}
	runBlockages(t, []blockageTest{
		{"two types", ab + ba, two},
		{"two instances of one type", "7 lock b000018: m.(*account).credit(b000000) a.go:1; m.(*account).move(a000000) a.go:2\n8 lock a000018: m.(*account).credit(a000000) a.go:1; m.(*account).move(b000000) a.go:2",
			[]string{"lock cycle 2: mutex b000018 7<-8/sure mutex a000018 8<-7/sure"}},
		{"three", "7 lock b000018: m.(*b).get(b000000) b.go:1; m.(*a).f(a000000) a.go:2\n8 lock c000018: m.(*c).get(c000000) c.go:9; m.(*b).f(b000000) b.go:2\n9 lock a000018: m.(*a).get(a000000) a.go:9; m.(*c).f(c000000) c.go:2",
			[]string{"lock cycle 3: mutex b000018 7<-8/sure mutex c000018 8<-9/sure mutex a000018 9<-7/sure"}},
		{"of a RWMutex and a Mutex", "7 lock b000018: m.(*b).get(b000000) b.go:1; m.(*a).f(a000000) a.go:2\n8 pending a000018: m.(*a).get(a000000) a.go:9; m.(*b).f(b000000) b.go:2",
			[]string{"lock cycle 2: mutex b000018 7<-8/sure rwmutex a000018 8<-7/sure"}},
		{"of a Once and a Mutex", "7 once a000018: m.(*a).get(a000000) a.go:9; m.(*b).f(b000000) b.go:2\n8 lock b000018: m.(*b).get(b000000) b.go:1; m.load() l.go:3; sync.(*Once).doSlow(a000018) once.go:70; m.(*a).get(a000000) a.go:9",
			[]string{"lock cycle 2: once a000018 7<-8/sure mutex b000018 8<-7/sure"}},
		{"addresses are not told", "7 rlock -: m.(*b).get(...) b.go:1; m.(*a).f(...) a.go:2\n8 rlock -: m.(*a).get(...) a.go:9; m.(*b).f(...) b.go:2",
			[]string{"lock cycle 2: rwmutex 0 7<-8/type rwmutex 0 8<-7/type"}},
		{"others wait behind it", ab + ba + "11 lock a000018: m.(*a).get(a000000) a.go:9; m.serve() s.go:1\n12 lock a000018: m.(*a).get(a000000) a.go:9; m.serve() s.go:1",
			[]string{"lock cycle 4: mutex a000018 8<-7/sure mutex b000018 7<-8/sure"}},
		{"two that share a lock", ab + ba + "9 lock a000018: m.(*a).get(a000000) a.go:9; m.(*c).f(c000000) c.go:2\n10 lock c000018: m.(*c).get(c000000) c.go:1; m.(*a).g(a000000) a.go:3",
			[]string{"lock cycle 3: mutex a000018 8<-7/sure mutex b000018 7<-8/sure", "lock cycle 1: mutex c000018 10<-9/sure mutex a000018 9<-10/sure"}},
		// Near misses.
		{"one of the two was woken", strings.Replace(ab, "lock b", "woken lock b", 1) + ba, []string{"held 1: mutex a000018 8<-7/sure"}},
		{"one of the two waits for a channel", strings.Replace(ab, "lock b000018", "receive d000", 1) + ba, []string{"held in channel 1: mutex a000018 8<-7/sure"}},
		{"the first works on another instance", strings.Replace(ab, "(a000000)", "(a800000)", 1) + ba, []string{"double lock 2: mutex a000018 8<-nobody"}}, // and the first behind it
	})
}

func TestBlockage_WhoSleepsMayHoldTheLockThatNobodyIsSeenToHold(t *testing.T) {
	const (
		waiter  = "7 lock c000018 3m: m.(*store).get(c000000) a.go:12; m.serve() s.go:3\n"
		reader  = "7 rlock - 3m: m.(*store).get(...) a.go:12; m.serve() s.go:3\n"
		writer  = "8 pending - 3m: m.(*store).set(...) a.go:20; m.serve() s.go:3\n"
		opposed = "7 lock c000018 3m: m.(*store).look(...) a.go:12 < m.main 1\n8 lock c000020 3m: m.(*store).look(...) a.go:12 < m.main 1\n"
	)
	runBlockages(t, []blockageTest{
		{"in a method of the type", waiter + "9 sleep 3m: m.(*store).count(...) b.go:40", []string{"double lock 1 3m: mutex c000018 7<-nobody, or 9 asleep"}},
		{"with the lock's address, in other code", waiter + "9 sleep 3m: x.keep(c000018) z.go:40", []string{"double lock 1 3m: mutex c000018 7<-nobody, or 9 asleep"}},
		{"as a reader", reader + writer + "9 sleep 3m: m.(*store).count(...) b.go:40", []string{"reader recursion 2 3m: rwmutex 0 7<-nobody, or 9 asleep"}},
		// Near misses.
		{"in other code of the file", waiter + "9 sleep 3m: m.count() a.go:40", []string{"double lock 1 3m: mutex c000018 7<-nobody"}},
		{"on another object", waiter + "9 sleep 3m: m.(*store).count(c800000) b.go:40", []string{"double lock 1 3m: mutex c000018 7<-nobody"}},
		{"on one of two locks", waiter + "8 lock d000018 3m: m.(*store).get(d000000) a.go:12; m.serve() s.go:3\n9 sleep 3m: x.keep(c000018) z.go:40",
			[]string{"double lock 2 x2 3m: mutex c000018 7<-nobody"}},
		{"it waits for its next work", waiter + "9 select 3m: m.(*store).count(c000000) b.go:40", []string{"double lock 1 3m: mutex c000018 7<-nobody"}},
	})
	d, g := build(t, opposed)
	if got := blockagesText(d, g); len(got) != 1 || !strings.HasPrefix(got[0], "lock cycle 2") {
		t.Errorf("two in opposite order: %q", got)
	}
	d, g = build(t, opposed+"9 sleep 3m: m.(*store).count(c000000) b.go:40 < m.main 1")
	for _, got := range blockagesText(d, g) {
		if strings.HasPrefix(got, "lock cycle") {
			t.Errorf("one that sleeps may hold what both wait for: %q", got)
		}
	}
}

func TestBlockage_ReadersAndWriters(t *testing.T) {
	runBlockages(t, []blockageTest{
		{"a reader reads again behind a writer", "7 rlock c000018: m.(*store).get(c000000) a.go:12; m.(*store).list(c000000) a.go:40\n8 pending c000018: m.(*store).set(c000000) a.go:50\n9 rlock c000018: m.(*store).get(c000000) a.go:12; m.serve() s.go:1",
			[]string{"reader recursion 3: rwmutex c000018 7<-itself/object"}},
		{"readers behind a writer, and nobody reads", "7 rlock c000018: m.(*store).get(c000000) a.go:12; m.serve() s.go:1\n8 pending c000018: m.(*store).set(c000000) a.go:50; m.serve() s.go:2",
			[]string{"reader recursion 2: rwmutex c000018 7<-nobody"}},
		{"a reader waits for a channel, the writer for it", "7 pending c000018: m.(*store).set(c000000) a.go:12\n8 queued c000018: m.(*store).set(c000000) a.go:12\n9 rlock c000018: m.(*store).get(c000000) a.go:15\n10 send d000: m.(*store).each(c000000) a.go:40",
			[]string{"held in channel 3: rwmutex c000018 7<-10/sure"}},
		{"a reader waits for a Cond that the writer would signal", "7 pending c000018: m.(*store).set(c000000) a.go:12\n9 rlock c000018: m.(*store).get(c000000) a.go:15\n10 cond d000: m.(*store).wait(c000000) a.go:40; m.serve() s.go:1; m.run() s.go:9",
			[]string{"reader recursion 2: rwmutex c000018 7<-10/object"}},
		{"writers alone", "7 pending c000018: m.(*store).set(c000000) a.go:12\n8 queued c000018: m.(*store).set(c000000) a.go:12", []string{"double lock 2: rwmutex c000018 7<-nobody"}},
	})
}

func TestBlockage_OfAOnceIsWhatItsFunctionWaitsFor(t *testing.T) {
	const (
		waiter = "7 once c000018: m.(*pool).get(c000000) p.go:3; m.serve() s.go:1\n"
		runner = "8 %: m.load() p.go:20; sync.(*Once).doSlow(c000018) once.go:70; sync.(*Once).Do(...) once.go:60; m.(*pool).get(c000000) p.go:3\n"
	)
	with := func(primitive string) string { return waiter + strings.Replace(runner, "%", primitive, 1) }
	runBlockages(t, []blockageTest{
		{"a channel", with("receive d100"), []string{"held in channel 1: once c000018 7<-8/sure"}},
		{"the network", with("io d100"), []string{"held 1: once c000018 7<-8/sure"}},
		{"it computes", with("run"), []string{"held 1 moves busy: once c000018 7<-8/sure"}},
		{"the Once of another line", strings.Replace(with("receive d100"), "p.go:3; m.serve", "p.go:4; m.serve", 1), []string{"double lock 1: once c000018 7<-nobody"}},
	})
}

func TestBlockage_TellsWhetherTheLockMoves(t *testing.T) {
	const waiter = "7 lock c000018: m.(*store).get(c000000) a.go:12; m.serve() s.go:1\n"
	runBlockages(t, []blockageTest{
		{"one was woken", waiter + "8 woken lock c000018: m.(*store).get(c000000) a.go:12; m.serve() s.go:1", []string{"held 1 moves: mutex c000018 7<-8/sure"}},
		{"somebody computes in the package", waiter + "9 run: m.(*other).hash(e000000) o.go:40", []string{"double lock 1 busy: mutex c000018 7<-nobody"}},
		{"below what it calls", "9 running: x.sum() x.go:1; m.(*other).hash(e000000) o.go:40\n" + waiter, []string{"double lock 1 busy: mutex c000018 7<-nobody"}},
		{"in another package", waiter + "9 run: x.(*other).hash(e000000) o.go:40", []string{"double lock 1: mutex c000018 7<-nobody"}},
		{"who dumps does not count", "9 running: runtime.Stack(e000000) d.go:1; m.(*other).dump(e000000) o.go:40\n" + waiter, []string{"double lock 1: mutex c000018 7<-nobody"}},
		{"in package main, the same file", "7 lock c000018: main.(*store).get(c000000) a.go:12; main.serve() s.go:1\n9 run: main.(*other).hash(e000000) a.go:40", []string{"double lock 1 moves busy: mutex c000018 7<-nobody"}},
		{"in package main, another file", "7 lock c000018: main.(*store).get(c000000) a.go:12; main.serve() s.go:1\n9 run: main.(*other).hash(e000000) o.go:40", []string{"double lock 1: mutex c000018 7<-nobody"}},
	})
}

func TestBlockage_ReportsWhetherAnotherMayServeTheHolder(t *testing.T) {
	const held = "7 lock c000018: m.(*store).get(c000000) a.go:12; m.serve() s.go:1\n9 receive d000: m.(*store).flush(c000000) f.go:40; m.serve() s.go:1; m.run() s.go:9\n"
	runBlockages(t, []blockageTest{
		{"nobody", held, []string{"held in channel 1: mutex c000018 7<-9/sure"}},
		{"a child at work", held + "10 io e000: x.fetch() x.go:1 < m.(*store).flush 9", []string{"held in channel 1 served: mutex c000018 7<-9/sure"}},
		{"a child of net/http's, which reads ahead", held + "10 io e000: net.Read() x.go:1; net/http.(*connReader).backgroundRead() s.go:1 < net/http.(*connReader).startBackgroundRead 9", []string{"held in channel 1: mutex c000018 7<-9/sure"}},
		{"a child that waits too", held + "10 receive e000: x.fetch() x.go:1 < m.(*store).flush 9", []string{"held in channel 1: mutex c000018 7<-9/sure"}},
		{"another's child", held + "10 io e000: x.fetch() x.go:1 < m.(*store).flush 11", []string{"held in channel 1: mutex c000018 7<-9/sure"}},
		{"a method of another object of the type", held + "10 io e000: m.(*store).loop(c800000) l.go:1; m.run() s.go:9; m.x() s.go:7", []string{"held in channel 1 served: mutex c000018 7<-9/sure"}},
		{"other code of the package", held + "10 sleep: m.pump() g.go:1", []string{"held in channel 1 served: mutex c000018 7<-9/sure"}},
		// Near misses.
		{"code of the package that waits for others", held + "10 receive e000: m.pump() g.go:1", []string{"held in channel 1: mutex c000018 7<-9/sure"}},
		{"code of another package", held + "10 sleep: x.pump() g.go:1", []string{"held in channel 1: mutex c000018 7<-9/sure"}},
		{"code of another package below a call of this one", held + "10 sleep: x.pump() g.go:1; m.main() g.go:1", []string{"held in channel 1: mutex c000018 7<-9/sure"}},
	})
}

func TestBlockage_VictimsAreFoldedIntoTheirCause(t *testing.T) {
	const (
		first  = "7 lock a000018: m.(*a).get(a000000) a.go:12; m.serve() s.go:1\n"
		second = "8 lock b000018: m.(*b).get(b000000) b.go:12; m.(*a).f(a000000) a.go:20; m.serve() s.go:2\n"
		third  = "9 lock c000018: m.(*c).get(c000000) c.go:12; m.(*b).f(b000000) b.go:20; m.serve() s.go:3\n"
	)
	runBlockages(t, []blockageTest{
		{"a chain of two", first + second + "9 send c000: m.(*b).put(b000000) b.go:30; m.serve() s.go:3", []string{"held in channel 2: mutex b000018 8<-9/sure"}},
		{"a chain of three", first + second + third + "10 send c000: m.(*c).put(c000000) c.go:30; m.serve() s.go:3", []string{"held in channel 3: mutex c000018 9<-10/sure"}},
		{"a chain to a cycle", first + second + "9 lock d000018: m.(*d).get(d000000) d.go:12; m.(*b).f(b000000) b.go:20; m.serve() s.go:3\n10 lock b000018: m.(*b).get(b000000) b.go:13; m.(*d).f(d000000) d.go:20",
			[]string{"lock cycle 4: mutex b000018 10<-9/sure mutex d000018 9<-10/sure"}},
		{"two that have nothing in common", first + "9 send c000: m.(*a).put(a000000) a.go:30; m.serve() s.go:3\n17 lock e000018: m.(*e).get(e000000) e.go:12; m.serve() s.go:1\n19 send c100: m.(*e).put(e000000) e.go:30; m.serve() s.go:3",
			[]string{"held in channel 1: mutex a000018 7<-9/sure", "held in channel 1: mutex e000018 17<-19/sure"}},
	})
}

func TestBlockage_HoldersThatSeemToWaitForEachOtherAreKept(t *testing.T) {
	// A chain of locks that goes twice through three stacks, and ends. Locks with waiters in the same stacks are one
	// blockage, so that the three blockages seem to be each other's causes; no victim is dropped.
	d, g := build(t, `
		7 lock a100018: m.(*a).get(a100000) a.go:1; m.(*c).f(c000000) c.go:2
		8 lock b100018: m.(*b).get(b100000) b.go:1; m.(*a).f(a100000) a.go:2
		9 lock c100018: m.(*c).get(c100000) c.go:1; m.(*b).f(b100000) b.go:2
		10 lock a200018: m.(*a).get(a200000) a.go:1; m.(*c).f(c100000) c.go:2
		11 lock b200018: m.(*b).get(b200000) b.go:1; m.(*a).f(a200000) a.go:2
		12 lock c200018: m.(*c).get(c200000) c.go:1; m.(*b).f(b200000) b.go:2
		13 lock a300018: m.(*a).get(a300000) a.go:1; m.(*c).f(c200000) c.go:2
	`)
	want := []string{
		"held 2 x2: mutex a100018 7<-8/sure",
		"held 2 x2: mutex b100018 8<-9/sure",
		"held 2 x2: mutex c100018 9<-10/sure",
		"double lock 1: mutex a300018 13<-nobody",
	}
	if diff := cmp.Diff(want, blockagesText(d, g)); diff != "" {
		t.Errorf("want (-), got (+):\n%s", diff)
	}
}

func TestBlockage_OfManyAlikeLocksIsOne(t *testing.T) {
	const (
		session = "N lock @00018: m.(*session).get(@00000) a.go:12; m.serve() s.go:1\nM send &00: m.(*session).put(@00000) a.go:30; m.serve() s.go:3"
		cycle   = "N lock &00018: m.(*b).get(&00000) b.go:1; m.(*a).f(@00000) a.go:2\nM lock @00018: m.(*a).get(@00000) a.go:9; m.(*b).f(&00000) b.go:2"
	)
	for _, n := range []int{2, maxAlike, maxAlike + 1, 10 * maxAlike} {
		d, g := build(t, repeat(n, session))
		if len(g.Blockages) != 1 || g.Blockages[0].Kind != HeldInChannel || g.Blockages[0].Instances != n || g.Blockages[0].Waiters != n {
			t.Errorf("%d sessions: %v", n, blockagesText(d, g))
		}
		if len(g.Objects) != n {
			t.Errorf("%d sessions: %d objects", n, len(g.Objects))
		}
		d, g = build(t, repeat(n, cycle))
		if len(g.Blockages) != 1 || g.Blockages[0].Kind != LockCycle || g.Blockages[0].Instances != n || g.Blockages[0].Waiters != 2*n {
			t.Errorf("%d cycles: %v", n, blockagesText(d, g))
		}
		if links := g.Blockages[0].Links; len(links) != 2 || len(g.Blockages[0].Addrs) > maxAddrs {
			t.Errorf("%d links, %d addresses", len(links), len(g.Blockages[0].Addrs))
		}
	}
}

func TestBlockage_TheMostWaitersComeFirst(t *testing.T) {
	notes := "7 lock a000018 2m: m.(*a).get(a000000) a.go:12\n8 send c000: m.(*a).put(a000000) a.go:30; m.serve() s.go:3\n" +
		"9 send c100: m.(*b).put(b000000) b.go:30; m.serve() s.go:3\n10 lock b000018: m.(*b).get(b000000) b.go:12\n11 lock b000018 5m: m.(*b).get(b000000) b.go:12\n"
	d, g := build(t, notes)
	want := []string{"held in channel 2 5m: mutex b000018 10<-9/sure", "held in channel 1 2m: mutex a000018 7<-8/sure"}
	if got := blockagesText(d, g); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBlockage_LocksOfATestInOppositeOrder(t *testing.T) {
	goroutines := func(root string) string {
		return "8 lock c000010: m.TestMove() m_test.go:31; " + root + "\n" +
			"9 lock c000018: m.TestMove.func1() m_test.go:26 < m.TestMove 8"
	}
	runBlockages(t, []blockageTest{
		{"in a test both hang", goroutines("testing.tRunner() testing.go:1"),
			[]string{"lock cycle 2: mutex c000010 8<-9/family mutex c000018 9<-8/family"}},
		{"elsewhere each may hold nothing yet", goroutines("main.main() main.go:9"),
			[]string{"double lock 1: mutex c000010 8<-nobody", "double lock 1: mutex c000018 9<-nobody"}},
	})
}

// Package sched starts, wakes and times goroutines more than it should.
package sched

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"example.com/fixtures/burn/run"
)

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		hot("goroutine-per-item", "goroutine for every item", `^runtime\.(newproc|newproc1|goexit0|gdestroy|mcall|newstack)$`, "(*Fanout).visit", startFanout),
		hot("channel-pingpong", "channel operation for every value", `^runtime\.(chansend1?|chanrecv[12]?|selectgo)$`, "(*Stage).send|(*Stage).receive|(*Stage).forward", startStages),
		hot("time-after", "time.After in a loop", `^time\.After$`, "(*Inbox).next", startInbox),
		hidden("ticker-storm", "hundreds of tickers of some microseconds", `^runtime\.(\(\*timers?\)\..*|runtimer|runOneTimer|checkTimers|schedule|findRunnable|findrunnable|mcall)$`,
			"(*Heartbeat).beat", startHeartbeats),
		hidden("scheduler", "GOMAXPROCS far above the CPUs, many wake-ups", `^runtime\.(schedule|findRunnable|findrunnable|mcall|park_m)$`, "(*Relay).pass", startRelays),
	}
}

func hot(name, topic, guilty, culprit string, start func(*run.Service) error) run.Kind {
	return run.Kind{
		Name: name, Profile: "cpu", Topic: topic, Guilty: guilty, Culprit: run.Own("sched", culprit), Category: "hot-cpu", Start: start,
	}
}

func hidden(name, topic, guilty, culprit string, start func(*run.Service) error) run.Kind {
	k := hot(name, topic, guilty, culprit, start)
	k.Hidden = true
	return k
}

// A Fanout visits each item of an object in a goroutine of its own, though a visit is next to nothing.
type Fanout struct{ visited atomic.Int64 }

func startFanout(s *run.Service) error {
	f := &Fanout{}
	s.Reconcile(1, f.Reconcile)
	return nil
}

// Reconcile is called for each object.
func (f *Fanout) Reconcile(ctx context.Context, key string) error {
	f.visit(make([]int, 2000))
	return nil
}

func (f *Fanout) visit(items []int) {
	var wg sync.WaitGroup
	for range items {
		wg.Add(1)
		go func() {
			defer wg.Done()
			f.visited.Add(1)
		}()
	}
	wg.Wait()
}

// A Stage hands each number on to the next stage.
type Stage struct{ in, out chan int }

func startStages(s *run.Service) error {
	first := &Stage{in: make(chan int), out: make(chan int)}
	second := &Stage{in: first.out, out: make(chan int)}
	s.Go(first.forward)
	s.Go(second.forward)
	n := 0
	s.Loop(func() {
		for i := 0; i < 200; i++ {
			first.in <- n
			n = second.receive()
		}
	})
	return nil
}

func (t *Stage) forward(ctx context.Context) {
	for n := range t.in {
		t.send(n + 1)
	}
}

func (t *Stage) send(n int) { t.out <- n }

func (t *Stage) receive() int { return <-t.out }

// An Inbox waits for messages, each time with a new timer.
type Inbox struct {
	messages chan int
	timeouts int
}

func startInbox(s *run.Service) error {
	b := &Inbox{messages: make(chan int, 1024)}
	s.Loop(func() {
		for i := 0; i < 1000; i++ {
			b.messages <- i
		}
		for i := 0; i < 1000; i++ {
			b.next()
		}
	})
	return nil
}

func (b *Inbox) next() int {
	select {
	case n := <-b.messages:
		return n
	case <-time.After(100 * time.Millisecond):
		b.timeouts++
		return 0
	}
}

// A Heartbeat watches one connection.
type Heartbeat struct{ missed atomic.Int64 }

func startHeartbeats(s *run.Service) error {
	for i := 0; i < 300; i++ {
		h := &Heartbeat{}
		s.Go(h.beat)
	}
	s.Go(run.Background)
	return nil
}

func (h *Heartbeat) beat(ctx context.Context) {
	tick := time.NewTicker(200 * time.Microsecond)
	defer tick.Stop()
	for ctx.Err() == nil {
		<-tick.C
		h.missed.Add(1)
	}
}

// A Relay is one of many goroutines that wake each other.
type Relay struct{ in, out chan struct{} }

func startRelays(s *run.Service) error {
	runtime.GOMAXPROCS(64)
	for ring := 0; ring < 40; ring++ {
		channels := make([]chan struct{}, 5)
		for i := range channels {
			channels[i] = make(chan struct{}, 1)
		}
		for i := range channels {
			r := &Relay{in: channels[i], out: channels[(i+1)%len(channels)]}
			s.Go(r.pass)
		}
		channels[0] <- struct{}{}
	}
	s.Go(run.Background)
	return nil
}

func (r *Relay) pass(ctx context.Context) {
	for ctx.Err() == nil {
		<-r.in
		r.out <- struct{}{}
	}
}

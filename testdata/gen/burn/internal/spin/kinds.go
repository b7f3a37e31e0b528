// Package spin waits in ways that keep a CPU busy.
package spin

import (
	"context"
	"runtime"
	"sync/atomic"
	"time"

	"example.com/fixtures/burn/run"
)

// Kinds are the programs of this package.
func Kinds() []run.Kind {
	return []run.Kind{
		// The scheduler runs on a stack of its own: a few samples at most show who called it.
		spin("spin-gosched", "loop over runtime.Gosched", `^runtime\.(mcall|goschedImpl|gosched_m|goschedM|Gosched)$`, "(*Lease).awaitExpiry", true, startLease),
		spin("spin-select", "loop over a select with a default", `^runtime\.selectnbrecv$|Collector`, "(*Collector).drain", false, startCollector),
		spin("spin-sleep", "loop over a sleep of a microsecond", `^runtime\.(mcall|park_m|schedule|findRunnable|findrunnable)$|^time\.Sleep$`, "(*Flusher).awaitReady", true, startFlusher),
		spin("spin-now", "loop over time.Now until a moment", `^time\.(Now|now|Since|Until|Time\.Before|runtimeNow)$`, "(*Pacer).until", false, startPacer),
		spin("spin-cas", "spin lock of compare-and-swap", `^sync/atomic\.`, "(*Latch).acquire", false, startLatch),
	}
}

func spin(name, topic, guilty, culprit string, hidden bool, start func(*run.Service) error) run.Kind {
	return run.Kind{
		Name: name, Profile: "cpu", Topic: topic, Guilty: guilty, Culprit: run.Own("spin", culprit), Category: "spin", Hidden: hidden, Start: start,
	}
}

// A Lease waits until a lease has expired.
type Lease struct {
	expired atomic.Bool
}

func startLease(s *run.Service) error {
	l := &Lease{}
	s.Go(func(context.Context) { l.awaitExpiry() })
	s.Go(run.Background)
	return nil
}

func (l *Lease) awaitExpiry() {
	for !l.expired.Load() {
		runtime.Gosched()
	}
}

// A Collector takes what comes, and looks again at once when nothing has come.
type Collector struct {
	events chan int
	stop   chan struct{}
	sum    int
}

func startCollector(s *run.Service) error {
	c := &Collector{events: make(chan int, 16), stop: make(chan struct{})}
	s.Go(func(context.Context) { c.drain() })
	s.Go(func(ctx context.Context) {
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for ctx.Err() == nil {
			<-tick.C
			c.events <- 1
		}
	})
	s.Go(run.Background)
	return nil
}

func (c *Collector) drain() {
	for {
		select {
		case n := <-c.events:
			c.sum += n
		case <-c.stop:
			return
		//lint:ignore SA5004 this is what the program shows
		default:
		}
	}
}

// A Flusher waits until somebody has something to flush.
type Flusher struct{ ready atomic.Bool }

func startFlusher(s *run.Service) error {
	for i := 0; i < 4; i++ {
		f := &Flusher{}
		s.Go(func(context.Context) { f.awaitReady() })
	}
	s.Go(run.Background)
	return nil
}

func (f *Flusher) awaitReady() {
	for !f.ready.Load() {
		time.Sleep(time.Microsecond)
	}
}

// A Pacer keeps a rate to the microsecond.
type Pacer struct{ sent int }

func startPacer(s *run.Service) error {
	p := &Pacer{}
	s.Go(p.run)
	s.Go(run.Background)
	return nil
}

func (p *Pacer) run(ctx context.Context) {
	next := time.Now()
	for ctx.Err() == nil {
		next = next.Add(200 * time.Microsecond)
		p.until(next)
		p.sent++
	}
}

func (p *Pacer) until(t time.Time) {
	for time.Now().Before(t) {
	}
}

// A Latch is a lock that does not park.
type Latch struct {
	held  atomic.Int32
	count int
}

func startLatch(s *run.Service) error {
	l := &Latch{}
	for i := 0; i < 3; i++ {
		s.Go(l.work)
	}
	s.Go(run.Background)
	return nil
}

func (l *Latch) work(ctx context.Context) {
	for i := 0; ; i++ {
		if i%1024 == 0 && ctx.Err() != nil {
			return
		}
		l.acquire()
		l.count++
		l.held.Store(0)
	}
}

func (l *Latch) acquire() {
	for !l.held.CompareAndSwap(0, 1) {
	}
}

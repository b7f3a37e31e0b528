// Package farm renders frames.
package farm

import (
	"context"
	"log"
	"sync/atomic"
	"time"
)

// A Frame may have reflections, which are frames with fewer bounces.
type Frame struct{ No, Bounces int }

// A Farm has workers and a queue.
type Farm struct {
	queue chan Frame
	stop  chan struct{}
	done  atomic.Int64
}

// New has that many workers, and room for that many frames.
func New(workers, room int) *Farm {
	f := &Farm{queue: make(chan Frame, room), stop: make(chan struct{})}
	for range workers {
		go f.work()
	}
	return f
}

// Close ends the workers.
func (f *Farm) Close() { close(f.stop) }

// Done is how many frames are rendered.
func (f *Farm) Done() int64 { return f.done.Load() }

// Submit queues a frame.
func (f *Farm) Submit(fr Frame) {
	f.queue <- fr
}

func (f *Farm) work() {
	for {
		select {
		case fr := <-f.queue:
			f.render(fr)
		case <-f.stop:
			return
		}
	}
}

func (f *Farm) render(fr Frame) {
	time.Sleep(2 * time.Millisecond)
	f.done.Add(1)
	for range 2 {
		if fr.Bounces > 0 {
			f.Submit(Frame{fr.No, fr.Bounces - 1})
		}
	}
}

// Gauge logs when the queue is long.
func (f *Farm) Gauge(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			if n := len(f.queue); n == cap(f.queue) {
				log.Print("queue is full")
			}
		case <-ctx.Done():
			return
		}
	}
}

// Package outbox holds events back until somebody takes them.
package outbox

import (
	"sync"
	"time"
)

// An Outbox numbers events.
type Outbox struct {
	mu   sync.Mutex
	seq  int
	out  chan int
	stop chan struct{}
}

// Start emits events, and closes the outbox from the one goroutine that takes them.
func Start() {
	o := &Outbox{out: make(chan int), stop: make(chan struct{})}
	go o.deliver()
	for i := 0; i < 3; i++ {
		go o.emitAll()
	}
}

func (o *Outbox) emitAll() {
	for o.Emit() {
	}
}

// Emit hands an event out unless the outbox is closed.
func (o *Outbox) Emit() bool {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.seq++
	select {
	case o.out <- o.seq:
		return true
	case <-o.stop:
		return false
	}
}

// deliver takes events until the fourth, which is too many.
func (o *Outbox) deliver() {
	for n := range o.out {
		if n == 4 {
			time.Sleep(20 * time.Millisecond)
			o.Close()
			return
		}
	}
}

// Close lets nobody wait any longer.
func (o *Outbox) Close() {
	o.mu.Lock()
	defer o.mu.Unlock()
	close(o.stop)
}

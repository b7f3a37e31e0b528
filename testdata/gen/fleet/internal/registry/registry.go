// Package registry keeps who lies at which berth, and tells listeners about it. Its mistake is how it tells them: a
// goroutine for each piece of news, that waits for a listener to take it, for ever where the listener has gone.
package registry

import (
	"context"
	"sync"
	"time"
)

// A Registry knows which ship lies at which berth.
type Registry struct {
	calls chan call

	mu     sync.Mutex
	berths map[int]string
	news   chan string
}

type call struct {
	berth int
	ship  string
	done  chan bool
}

// New is a registry with desks that take calls.
func New(ctx context.Context, desks int) *Registry {
	r := &Registry{calls: make(chan call), berths: map[int]string{}, news: make(chan string)}
	for range desks {
		go r.desk(ctx)
	}
	return r
}

func (r *Registry) desk(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case c := <-r.calls:
			r.mu.Lock()
			r.berths[c.berth] = c.ship
			r.mu.Unlock()
			c.done <- true
		}
	}
}

// Moor notes that a ship lies at a berth.
func (r *Registry) Moor(berth int, ship string) {
	done := make(chan bool)
	r.calls <- call{berth, ship, done}
	<-done
	r.announce(ship)
}

func (r *Registry) announce(ship string) {
	go func() {
		r.news <- ship
	}()
}

// Listen takes news until the context is done.
func (r *Registry) Listen(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.news:
		}
	}
}

// Survey looks at a quay once an hour: what the leader does.
func (r *Registry) Survey(ctx context.Context) {
	ticker := time.NewTicker(time.Hour)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
	}
}

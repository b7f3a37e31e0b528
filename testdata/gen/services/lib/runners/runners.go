// Package runners runs functions on a few workers.
package runners

import "context"

// A Pool has workers and a queue.
type Pool struct {
	queue chan func(context.Context)
}

// New starts workers.
func New(ctx context.Context, workers, room int) *Pool {
	p := &Pool{make(chan func(context.Context), room)}
	for range workers {
		go p.work(ctx)
	}
	return p
}

func (p *Pool) work(ctx context.Context) {
	for {
		select {
		case f := <-p.queue:
			f(ctx)
		case <-ctx.Done():
			return
		}
	}
}

// Enqueue waits for room.
func (p *Pool) Enqueue(ctx context.Context, f func(context.Context)) bool {
	select {
	case p.queue <- f:
		return true
	case <-ctx.Done():
		return false
	}
}

// Package ponds runs tasks in groups on workers that end with a context.
package ponds

import (
	"context"
	"sync"
)

// A Pool has workers.
type Pool struct {
	ctx   context.Context
	tasks chan func()
}

// New starts workers.
func New(ctx context.Context, workers int) *Pool {
	p := &Pool{ctx, make(chan func(), 32)}
	for range workers {
		go p.worker()
	}
	return p
}

func (p *Pool) worker() {
	for {
		select {
		case <-p.ctx.Done():
			return
		case task := <-p.tasks:
			task()
		}
	}
}

// A Group has tasks that are waited for together.
type Group struct {
	pool *Pool
	wg   sync.WaitGroup
}

// Group starts a group.
func (p *Pool) Group() *Group { return &Group{pool: p} }

// Submit hands a task over.
func (g *Group) Submit(task func()) {
	g.wg.Add(1)
	g.pool.tasks <- func() {
		defer g.wg.Done()
		task()
	}
}

// Wait waits for all tasks.
func (g *Group) Wait() { g.wg.Wait() }

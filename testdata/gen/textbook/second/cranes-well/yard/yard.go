// Package yard is where boxes come from.
package yard

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// A Box is a container.
type Box struct{ ID string }

// A Yard is a list of boxes with an index.
type Yard struct {
	mu    sync.RWMutex
	seen  []Box
	index map[string]int
}

// New is an empty yard.
func New() *Yard { return &Yard{index: map[string]int{}} }

// Unload sends one box after the other.
func (y *Yard) Unload(ctx context.Context, jobs chan<- Box) {
	defer close(jobs)
	for n := 0; ; n++ {
		b := Box{ID: fmt.Sprintf("MSKU%07d", n%5000)}
		select {
		case jobs <- b:
			y.mu.Lock()
			y.seen = append(y.seen[max(0, len(y.seen)-4999):], b)
			y.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

// Reindex refreshes the index.
func (y *Yard) Reindex(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-t.C:
		}
		y.mu.RLock()
		next := make(map[string]int, len(y.seen))
		for i, b := range y.seen {
			next[b.ID] = i
		}
		y.mu.RUnlock()
		y.mu.Lock()
		y.index = next
		y.mu.Unlock()
	}
}

// Package harbour knows which ship lies where.
package harbour

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

type berth struct {
	mu   sync.Mutex
	ship string
}

// A Move takes what lies at From to To, and the other way round.
type Move struct{ From, To string }

// A Harbour has berths, and a tide.
type Harbour struct {
	berths map[string]*berth
	level  atomic.Int64
}

// Open is a harbour with a ship at each berth.
func Open(names ...string) *Harbour {
	h := &Harbour{berths: map[string]*berth{}}
	for _, n := range names {
		h.berths[n] = &berth{ship: "MS " + n}
	}
	return h
}

// Names are sorted.
func (h *Harbour) Names() []string {
	var names []string
	for n := range h.berths {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// Shift exchanges two ships.
func (h *Harbour) Shift(m Move) error {
	a, ok := h.berths[m.From]
	b, ok2 := h.berths[m.To]
	if !ok || !ok2 {
		return fmt.Errorf("no such berth: %v", m)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	time.Sleep(3 * time.Millisecond) // lines are cast off
	b.mu.Lock()
	defer b.mu.Unlock()
	a.ship, b.ship = b.ship, a.ship
	return nil
}

// Level is in centimetres.
func (h *Harbour) Level() int64 { return h.level.Load() }

// Tides rise and fall until ctx ends.
func (h *Harbour) Tides(ctx context.Context, every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for n := int64(0); ; n++ {
		select {
		case <-tick.C:
			h.level.Store(200 + n%12*10)
		case <-ctx.Done():
			return
		}
	}
}

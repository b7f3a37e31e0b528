// Package pull copies orders, shard by shard.
package pull

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"
)

// An Order is old.
type Order struct{ ID, Cents int }

// ErrCursor is what a source says about a page that it has forgotten.
var ErrCursor = errors.New("cursor expired")

// A Source has pages of orders.
type Source struct {
	mu    sync.Mutex
	total int
	asked int
}

// NewSource has that many orders.
func NewSource(total int) *Source { return &Source{total: total} }

// Page is at most ten orders. Cursors expire now and then.
func (s *Source) Page(ctx context.Context, from int) ([]Order, error) {
	select {
	case <-time.After(25 * time.Millisecond):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.asked++; s.asked%40 > 35 {
		return nil, ErrCursor
	}
	var page []Order
	for id := from; id < min(from+10, s.total); id++ {
		page = append(page, Order{id, id * 7 % 9999})
	}
	return page, nil
}

// A Store takes orders.
type Store struct {
	mu     sync.Mutex
	orders []Order
}

// NewStore is empty.
func NewStore() *Store { return new(Store) }

// Put adds orders.
func (s *Store) Put(o ...Order) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.orders = append(s.orders, o...)
}

// Compact sorts orders and drops those that are there twice.
func (s *Store) Compact(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			s.mu.Lock()
			slices.SortFunc(s.orders, func(a, b Order) int { return a.ID - b.ID })
			s.orders = slices.Compact(s.orders)
			s.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

// A Worker copies one shard.
type Worker struct {
	Shard, Of int
	From      *Source
	To        *Store
}

// Run copies round and round, since old orders change.
func (w *Worker) Run(ctx context.Context) error {
	for at := w.Shard * 10; ; at += w.Of * 10 {
		page, err := w.From.Page(ctx, at)
		if errors.Is(err, ErrCursor) {
			at = w.Shard*10 - w.Of*10
			continue
		}
		if err != nil {
			return fmt.Errorf("order %d: %w", at, err)
		}
		if len(page) == 0 {
			at = w.Shard * 10
			continue
		}
		w.To.Put(page...)
	}
}

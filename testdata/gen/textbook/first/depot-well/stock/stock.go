// Package stock knows what there is and what it costs.
package stock

import (
	"sync"
	"time"
)

// A Store has items and their prices, each under a lock of its own.
type Store struct {
	countsMu sync.Mutex
	counts   map[string]int
	pricesMu sync.Mutex
	prices   map[string]int
}

// New is a store with bolts and nuts.
func New() *Store {
	return &Store{
		counts: map[string]int{"bolt": 1_000_000, "nut": 1_000_000},
		prices: map[string]int{"bolt": 12, "nut": 7},
	}
}

// Reserve takes n of an item away and returns what they cost.
func (s *Store) Reserve(item string, n int) int {
	s.countsMu.Lock()
	defer s.countsMu.Unlock()
	if s.counts[item] < n {
		return 0
	}
	s.counts[item] -= n
	time.Sleep(5 * time.Millisecond)
	s.pricesMu.Lock()
	defer s.pricesMu.Unlock()
	return n * s.prices[item]
}

// Reprice raises the price of what is scarce.
func (s *Store) Reprice(by int) {
	s.countsMu.Lock()
	defer s.countsMu.Unlock()
	time.Sleep(5 * time.Millisecond)
	s.pricesMu.Lock()
	defer s.pricesMu.Unlock()
	for item, n := range s.counts {
		if n < 100 {
			s.prices[item] += by
		}
	}
}

// Package cache keeps values by key.
package cache

import "sync"

// A Store is a map with a lock, and a limit.
type Store struct {
	mu    sync.Mutex
	items map[string]string
	limit int
}

// Start fills a store, flushes it, and lets readers come.
func Start() {
	s := &Store{items: map[string]string{"a": "1", "b": "2"}, limit: 1}
	go s.Flush()
	for i := 0; i < 12; i++ {
		go s.serve("a")
	}
}

// Flush empties a store that is too full.
func (s *Store) Flush() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.Len() > s.limit {
		s.items = map[string]string{}
	}
}

// Len is the number of items.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.items)
}

// Get is the value of a key.
func (s *Store) Get(key string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.items[key]
}

func (s *Store) serve(key string) {
	for s.Get(key) == "1" || s.Len() > 0 {
	}
}

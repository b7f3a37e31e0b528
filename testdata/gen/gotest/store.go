// Package gotest has tests that hang, panic and race on purpose. They run only by the driver, each by name.
package gotest

import "sync"

// A Store counts names.
type Store struct {
	mu     sync.Mutex
	counts map[string]int
	hits   int
}

// Add counts one.
func (s *Store) Add(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[name]++
}

// AddAll counts many, under the lock that Add takes too.
func (s *Store) AddAll(names []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, name := range names {
		s.Add(name)
	}
}

// Hit counts without a lock.
func (s *Store) Hit() { s.hits++ }

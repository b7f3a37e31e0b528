// Package spool is a queue of documents.
package spool

import (
	"sync"
	"time"
)

// A Spool has documents that wait, and those that were printed.
type Spool struct {
	mu      sync.Mutex
	changed *sync.Cond
	waiting []string
	printed map[string]int
}

// New is an empty spool.
func New() *Spool {
	s := &Spool{printed: map[string]int{}}
	s.changed = sync.NewCond(&s.mu)
	return s
}

// Put adds a document.
func (s *Spool) Put(name string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.waiting = append(s.waiting, name)
	s.changed.Broadcast()
}

// Next takes the document that has waited longest.
func (s *Spool) Next() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.waiting) == 0 {
		s.changed.Wait()
	}
	name := s.waiting[0]
	s.waiting = s.waiting[1:]
	return name
}

// Print prints one document after the other.
func (s *Spool) Print() {
	for {
		name := s.Next()
		time.Sleep(200 * time.Millisecond)
		s.mu.Lock()
		s.printed[name]++
		s.changed.Broadcast()
		s.mu.Unlock()
	}
}

// Wait returns when a document was printed, how often.
func (s *Spool) Wait(name string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for s.printed[name] == 0 {
		s.changed.Wait()
	}
	return s.printed[name]
}

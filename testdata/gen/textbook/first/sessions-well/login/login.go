// Package login knows who is logged in.
package login

import (
	"sync"
	"time"
)

// Sessions have the time at which each was seen last.
type Sessions struct {
	mu   sync.Mutex
	seen map[int]time.Time
}

// New has a thousand sessions.
func New() *Sessions {
	s := &Sessions{seen: map[int]time.Time{}}
	for id := range 1000 {
		s.seen[id] = time.Now()
	}
	return s
}

// Touch keeps a session alive.
func (s *Sessions) Touch(id int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.seen[id] = time.Now()
}

// Sweep drops sessions that are older than age.
func (s *Sessions) Sweep(age time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for id, at := range s.seen {
		if time.Since(at) > age {
			delete(s.seen, id)
		}
	}
}

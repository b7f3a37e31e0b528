// Package shelf knows which books stand where.
package shelf

import (
	"sync"
	"time"
)

type Shelves struct {
	mu    sync.RWMutex
	books map[string]int
}

func New() *Shelves { return &Shelves{books: map[string]int{"go": 1}} }

func (s *Shelves) Place(book string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.books[book]
}

func (s *Shelves) Move(book string, place int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.books[book] = place
}

// Describe calls f for each book.
func (s *Shelves) Describe(f func(book string)) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	for book := range s.books {
		time.Sleep(20 * time.Millisecond)
		f(book)
	}
}

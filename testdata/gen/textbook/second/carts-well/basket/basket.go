// Package basket keeps what customers want.
package basket

import (
	"errors"
	"strconv"
	"sync"
	"time"
)

// ErrGone is for baskets that have expired.
var ErrGone = errors.New("no such basket")

// A Basket expires.
type Basket struct {
	items []string
	timer *time.Timer
	paid  chan struct{}
}

// A Store is all baskets.
type Store struct {
	mu   sync.Mutex
	last int
	all  map[string]*Basket
	ttl  time.Duration
}

// NewStore keeps baskets for ttl.
func NewStore(ttl time.Duration) *Store { return &Store{all: map[string]*Basket{}, ttl: ttl} }

// Open returns the id of an empty basket.
func (s *Store) Open() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
	id := strconv.Itoa(s.last)
	b := &Basket{timer: time.NewTimer(s.ttl), paid: make(chan struct{})}
	s.all[id] = b
	go b.expire(s, id)
	return id
}

func (b *Basket) expire(s *Store, id string) {
	select {
	case <-b.timer.C:
	case <-b.paid:
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.all, id)
}

// Put reports whether the basket is there.
func (s *Store) Put(id, item string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.all[id]
	if b != nil {
		b.items = append(b.items, item)
	}
	return b != nil
}

// Checkout closes a basket.
func (s *Store) Checkout(id string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	b, ok := s.all[id]
	if !ok {
		return ErrGone
	}
	b.timer.Stop()
	close(b.paid)
	delete(s.all, id)
	return nil
}

// Len is how many are open.
func (s *Store) Len() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.all)
}

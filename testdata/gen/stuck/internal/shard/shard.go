// Package shard spreads keys over parts with a lock each.
package shard

import (
	"sync"
	"time"
)

// A Shard holds the values of some keys.
type Shard[K comparable, V any] struct {
	mu     sync.RWMutex
	values map[K]V
}

func newShard[K comparable, V any]() *Shard[K, V] { return &Shard[K, V]{values: map[K]V{}} }

// Start moves values between two shards in both directions, while others read.
func Start() {
	left, right := newShard[string, int](), newShard[string, int]()
	left.values["a"], right.values["b"] = 1, 2
	go left.MoveTo(right, "a")
	go right.MoveTo(left, "b")
	for i := 0; i < 20; i++ {
		go func() {
			time.Sleep(60 * time.Millisecond)
			left.Get("a")
			right.Get("b")
		}()
	}
}

// MoveTo moves a value to another shard.
func (s *Shard[K, V]) MoveTo(to *Shard[K, V], key K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(20 * time.Millisecond)
	to.put(key, s.values[key])
	delete(s.values, key)
}

func (s *Shard[K, V]) put(key K, value V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.values[key] = value
}

// Get is the value of a key.
func (s *Shard[K, V]) Get(key K) V {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.values[key]
}

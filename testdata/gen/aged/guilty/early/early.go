// Package early: main waits for a signal that was given before it waited.
package early

import (
	"sync"
	"time"
)

type store struct {
	mu    sync.Mutex
	ready *sync.Cond
	items map[int]string
}

// load fills the store and signals once.
func (s *store) load() {
	s.mu.Lock()
	s.items[1] = "one"
	s.mu.Unlock()
	s.ready.Broadcast()
}

// await waits for the signal, whatever has happened before.
func (s *store) await() {
	s.mu.Lock()
	s.ready.Wait()
	s.mu.Unlock()
}

// Main runs it.
func Main() {
	s := &store{items: map[int]string{}}
	s.ready = sync.NewCond(&s.mu)
	go s.load()
	time.Sleep(time.Second)
	s.await()
}

// Package latch holds goroutines until something has been loaded.
package latch

import (
	"sync"
	"time"
)

// A Latch opens once.
type Latch struct {
	mu   sync.Mutex
	cond *sync.Cond
	keys map[string]string
}

// Start loads keys, and waits for them when they are there already.
func Start() {
	l := &Latch{}
	l.cond = sync.NewCond(&l.mu)
	go l.load()
	go l.await()
}

func (l *Latch) load() {
	l.mu.Lock()
	l.keys = map[string]string{"signing": "k1"}
	l.cond.Signal()
	l.mu.Unlock()
}

// await waits for the signal without looking whether the keys have come.
func (l *Latch) await() string {
	time.Sleep(20 * time.Millisecond)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cond.Wait()
	return l.keys["signing"]
}

// Package turnstile stops goroutines for maintenance.
package turnstile

import (
	"sync"
	"time"
)

// A Turnstile is open or shut.
type Turnstile struct {
	mu     sync.Mutex
	opened *sync.Cond
	shut   bool
}

// Start shuts a turnstile, lets seven come, and opens it for one.
func Start() {
	t := &Turnstile{shut: true}
	t.opened = sync.NewCond(&t.mu)
	for i := 0; i < 7; i++ {
		go t.pass()
	}
	go func() {
		time.Sleep(30 * time.Millisecond)
		t.open()
	}()
}

func (t *Turnstile) pass() { t.Enter() }

// Enter waits until the turnstile is open.
func (t *Turnstile) Enter() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for t.shut {
		t.opened.Wait()
	}
}

func (t *Turnstile) open() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.shut = false
	t.opened.Signal() // wakes one of them
}

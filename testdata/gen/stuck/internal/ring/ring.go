// Package ring spreads work over members of a hash ring.
package ring

import (
	"sync"
	"time"
)

// A Ring has members.
type Ring struct {
	mu      sync.RWMutex
	members []string
	health  map[string]bool
}

// Start probes the members while one leaves.
func Start() {
	r := &Ring{members: []string{"a", "b", "c"}, health: map[string]bool{}}
	go r.Probe()
	go r.leave("b")
}

// Probe asks all members at once, and waits for their answers.
func (r *Ring) Probe() int {
	r.mu.RLock()
	defer r.mu.RUnlock()
	var wg sync.WaitGroup
	for _, m := range r.members {
		wg.Add(1)
		go func(m string) {
			defer wg.Done()
			time.Sleep(40 * time.Millisecond)
			r.owns(m)
		}(m)
	}
	wg.Wait()
	return len(r.members)
}

func (r *Ring) owns(m string) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return r.health[m]
}

func (r *Ring) leave(m string) {
	time.Sleep(20 * time.Millisecond)
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.health, m)
}

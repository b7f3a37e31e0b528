// Package limiter lets a few requests through at a time.
package limiter

import (
	"sync"
	"time"
)

// A Gate has slots, and counts who used them.
type Gate struct {
	slots chan struct{}
	mu    sync.Mutex
	used  map[string]int
}

// Start sends requests through a gate with two slots while another goroutine takes all of them to reset it.
func Start() {
	g := &Gate{slots: make(chan struct{}, 2), used: map[string]int{}}
	for i := 0; i < 2; i++ {
		go g.request("ada")
	}
	go g.Reset()
	go func() {
		time.Sleep(80 * time.Millisecond)
		for i := 0; i < 14; i++ {
			go g.request("bob")
		}
	}()
}

func (g *Gate) request(user string) {
	g.slots <- struct{}{}
	defer func() { <-g.slots }()
	time.Sleep(40 * time.Millisecond)
	g.account(user)
}

func (g *Gate) account(user string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.used[user]++
}

// Reset waits until nobody is inside.
func (g *Gate) Reset() {
	time.Sleep(20 * time.Millisecond)
	g.mu.Lock()
	defer g.mu.Unlock()
	for i := 0; i < cap(g.slots); i++ {
		g.slots <- struct{}{}
	}
	g.used = map[string]int{}
}

// Package gossip spreads what peers know.
package gossip

import (
	"sync"
	"time"
)

// A Peer has a view of the members.
type Peer struct {
	name string
	lock sync.Mutex
	view map[string]int
}

// Start lets two peers merge their views with each other.
func Start() {
	a := &Peer{name: "a", view: map[string]int{"a": 1}}
	b := &Peer{name: "b", view: map[string]int{"b": 1}}
	go exchange(a, b)
	go exchange(b, a)
}

func exchange(p, q *Peer) {
	for {
		p.Merge(q)
	}
}

// Merge takes over what the other peer knows.
func (p *Peer) Merge(q *Peer) {
	p.lock.Lock()
	defer p.lock.Unlock()
	time.Sleep(20 * time.Millisecond)
	q.lock.Lock()
	defer q.lock.Unlock()
	for name, n := range q.view {
		p.view[name] += n
	}
}

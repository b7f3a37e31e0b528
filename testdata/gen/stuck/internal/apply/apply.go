// Package apply applies committed entries to a state machine.
package apply

import (
	"sync"
	"time"
)

type entry struct{ index int }

// A Node commits entries.
type Node struct {
	mu      sync.Mutex
	applied int
	commits chan entry
}

// Start proposes more entries than the queue of commits holds.
func Start() {
	n := &Node{commits: make(chan entry, 2)}
	go n.applyAll()
	for i := 0; i < 24; i++ {
		go n.client(i)
	}
}

func (n *Node) client(first int) {
	for i := first; ; i++ {
		n.Propose(entry{i})
	}
}

// Propose commits an entry.
func (n *Node) Propose(e entry) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if e.index > n.applied {
		n.commits <- e
	}
}

// applyAll applies entries as they are committed.
func (n *Node) applyAll() {
	for e := range n.commits {
		time.Sleep(5 * time.Millisecond)
		n.advance(e.index)
	}
}

func (n *Node) advance(index int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.applied = index
}

// Package node drains nodes and evicts pods.
package node

import (
	"sync"
	"time"
)

// A Node has pods.
type Node struct {
	mu   sync.Mutex
	pods map[string]*Pod
	free int
}

// A Pod is on a node.
type Pod struct {
	mu    sync.Mutex
	node  *Node
	phase string
}

// Start drains a node while one of its pods is evicted, and asks for both.
func Start() {
	n := &Node{pods: map[string]*Pod{}}
	p := &Pod{node: n, phase: "Running"}
	n.pods["web-0"] = p
	go n.Drain()
	go p.Evict()
	go func() {
		time.Sleep(60 * time.Millisecond)
		for i := 0; i < 4; i++ {
			go n.Allocatable()
			go p.Phase()
		}
	}()
}

// Drain ends all pods of the node.
func (n *Node) Drain() {
	n.mu.Lock()
	defer n.mu.Unlock()
	time.Sleep(20 * time.Millisecond)
	for _, p := range n.pods {
		p.terminate()
	}
}

// Allocatable is what the node has left.
func (n *Node) Allocatable() int {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.free
}

func (n *Node) release() {
	n.mu.Lock()
	n.free++
	n.mu.Unlock()
}

// Evict ends the pod and gives back what it had.
func (p *Pod) Evict() {
	p.mu.Lock()
	defer p.mu.Unlock()
	time.Sleep(20 * time.Millisecond)
	p.phase = "Failed"
	p.node.release()
}

// Phase is where the pod stands.
func (p *Pod) Phase() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.phase
}

func (p *Pod) terminate() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.phase = "Succeeded"
}

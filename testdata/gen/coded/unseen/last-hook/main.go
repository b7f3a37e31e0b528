package main

import (
	"sync"
	"time"

	"coded/kit"
)

const work = 205 * time.Second

type node struct {
	mu sync.Mutex
	n  int
}

var last func()

func visit(n *node) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if last != nil {
		last()
	}
	last = func() {
		n.mu.Lock()
		n.n++
		n.mu.Unlock()
	}
}

func (n *node) audit() {
	n.mu.Lock()
	defer n.mu.Unlock()
	time.Sleep(work)
}

func main() {
	kit.Serve()
	a := &node{}
	visit(a)
	go a.audit()
	time.Sleep(time.Second)
	visit(&node{})
}

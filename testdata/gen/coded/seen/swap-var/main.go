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

func (n *node) audit() {
	n.mu.Lock()
	defer n.mu.Unlock()
	time.Sleep(work)
}

var now *node

func use(n *node) { now = n }

func bump() {
	now.mu.Lock()
	now.n++
	now.mu.Unlock()
}

func global(a, b *node) {
	use(a)
	now.mu.Lock()
	use(b)
	bump()
	use(a)
	now.mu.Unlock()
}

func (n *node) touch() {
	n.mu.Lock()
	n.n++
	n.mu.Unlock()
}

func local(list []*node) {
	var n *node
	next := func() { n, list = list[0], list[1:] }
	next()
	n.mu.Lock()
	next()
	n.touch()
	next()
	n.mu.Unlock()
}

func main() {
	kit.Serve()
	busy, idle := &node{}, &node{}
	go busy.audit()
	time.Sleep(time.Second)
	var all sync.WaitGroup
	for _, f := range []func(){func() { local([]*node{idle, busy, idle}) }, func() { global(&node{}, busy) }} {
		all.Add(1)
		go func() {
			defer all.Done()
			f()
		}()
	}
	all.Wait()
}

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

func (n *node) touch() {
	n.mu.Lock()
	n.n++
	n.mu.Unlock()
}

var now *node

func use(n *node) { now = n }

func bump() {
	now.mu.Lock()
	now.n++
	now.mu.Unlock()
}

func local(list []*node) {
	var n *node
	next := func() { n, list = list[0], list[1:] }
	next()
	first := n
	n.mu.Lock()
	defer first.mu.Unlock()
	next()
	n.touch()
}

func global(a, b *node) {
	use(a)
	now.mu.Lock()
	defer a.mu.Unlock()
	use(b)
	bump()
}

func main() {
	kit.Serve()
	busy := &node{}
	go busy.audit()
	time.Sleep(time.Second)
	var all sync.WaitGroup
	for _, f := range []func(){func() { local([]*node{{}, busy}) }, func() { global(&node{}, busy) }} {
		all.Add(1)
		go func() {
			defer all.Done()
			f()
		}()
	}
	all.Wait()
}

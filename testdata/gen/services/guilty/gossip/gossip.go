// Package gossip spreads news among nodes: each has an inbox and forwards to its neighbours.
package gossip

import (
	"time"

	"example.com/services/kit"
)

type node struct {
	inbox      chan int
	neighbours []*node
	known      map[int]bool
}

func (n *node) run() {
	for news := range n.inbox {
		if n.known[news] {
			continue
		}
		n.known[news] = true
		for _, to := range n.neighbours {
			to.inbox <- news
		}
	}
}

func Main() {
	kit.Start()
	nodes := make([]*node, 9)
	for i := range nodes {
		nodes[i] = &node{inbox: make(chan int, 2), known: map[int]bool{}}
	}
	for i, n := range nodes {
		n.neighbours = []*node{nodes[(i+1)%9], nodes[(i+2)%9], nodes[(i+5)%9]}
		go n.run()
	}
	time.Sleep(time.Second)
	for i := 0; ; i++ {
		nodes[i%9].inbox <- i
		time.Sleep(time.Millisecond)
	}
}

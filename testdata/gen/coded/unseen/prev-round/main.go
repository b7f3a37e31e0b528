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

func main() {
	kit.Serve()
	var all sync.WaitGroup
	rounds(&all)
	all.Wait()
}

func rounds(all *sync.WaitGroup) {
	var before func()
	for i := 0; i < 2; i++ {
		n := &node{}
		n.mu.Lock()
		if before != nil {
			before()
		}
		before = func() {
			n.mu.Lock()
			n.n++
			n.mu.Unlock()
		}
		n.mu.Unlock()
		if i > 0 {
			break
		}
		all.Add(1)
		go func() {
			defer all.Done()
			n.audit()
		}()
		time.Sleep(time.Second)
	}
}

package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type cache[K comparable] struct {
	sync.Mutex
	m map[K]int
}

func main() {
	kit.Serve()
	c := &cache[string]{m: map[string]int{}}
	go func() {
		for {
			time.Sleep(time.Second)
			log.Print(c.Len())
		}
	}()
	time.Sleep(3 * time.Second)
	c.Put("a", 1)
}

func (c *cache[K]) Put(k K, v int) {
	c.Lock()
	defer c.Unlock()
	c.m[k] = v
	c.trim()
}

func (c *cache[K]) trim() {
	for c.Len() > 10 {
		clear(c.m)
	}
}

func (c *cache[K]) Len() int {
	c.Lock()
	defer c.Unlock()
	return len(c.m)
}

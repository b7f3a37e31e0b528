// Wine-cellar reads the stock twice: the second time while it counts. One count is slow.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type cellar struct {
	mu      sync.RWMutex
	bottles map[string]int
}

// total counts one cellar under its lock, and asks the next one, which has a lock of its own.
func (c *cellar) total(next *cellar) (sum int) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	for _, n := range c.bottles {
		sum += n
	}
	if next != nil {
		return sum + next.total(nil)
	}
	time.Sleep(25 * time.Minute)
	return sum
}

func (c *cellar) add(name string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.bottles[name]++
}

func main() {
	kit.Serve()
	a, b := &cellar{bottles: map[string]int{"red": 3}}, &cellar{bottles: map[string]int{"white": 2}}
	go func() { log.Print(a.total(b)) }()
	time.Sleep(time.Second)
	go b.add("white")
	time.Sleep(time.Second)
	for n := 0; n < 6; n++ {
		go func() { log.Print(a.total(b)) }()
	}
	kit.Wait()
}

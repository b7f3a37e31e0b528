// Command counters counts visits of pages from several goroutines in one map with a lock.
package main

import (
	"fmt"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type counters struct {
	mu    sync.Mutex
	pages map[string]int
}

func (c *counters) hit(page string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.pages[page]++
}

func visitor(c *counters, n int) {
	for i := 0; ; i++ {
		c.hit(fmt.Sprint("/page/", (i*n)%100))
		if i%10 == 0 {
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func main() {
	kit.Start()
	c := &counters{pages: map[string]int{}}
	for n := range 4 {
		go visitor(c, n+1)
	}
	select {}
}

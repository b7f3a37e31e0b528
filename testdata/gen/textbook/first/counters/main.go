// Command counters counts visits of pages from several goroutines in one map without a lock.
package main

import (
	"fmt"
	"time"
)

type counters struct {
	pages map[string]int
}

func (c *counters) hit(page string) {
	c.pages[page]++
}

func visitor(c *counters, n int) {
	for i := 0; ; i++ {
		c.hit(fmt.Sprint("/page/", (i*n)%100))
		if i%1000 == 0 {
			time.Sleep(10 * time.Millisecond)
		}
	}
}

func main() {
	c := &counters{pages: map[string]int{}}
	for n := range 4 {
		go visitor(c, n+1)
	}
	select {}
}

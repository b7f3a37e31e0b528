// Package crawler fetches pages; each page's links are tasks for the same pool.
package crawler

import (
	"fmt"
	"time"

	"example.com/services/kit"
	"example.net/lib/taskpool"
)

type Crawler struct{ pool *taskpool.Pool }

func (c *Crawler) visit(url string) {
	time.Sleep(5 * time.Millisecond)
	for i := range 4 {
		link := fmt.Sprintf("%s/%d", url, i)
		c.pool.Submit(func() { c.visit(link) })
	}
}

func Main() {
	kit.Start()
	c := &Crawler{taskpool.New(8, 16)}
	c.pool.Submit(func() { c.visit("/") })
	kit.Wait()
}

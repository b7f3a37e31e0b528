package main

import (
	"sync"
	"time"

	"coded/kit"
)

type conn struct {
	mu sync.Mutex
	n  int
}

func main() {
	kit.Serve()
	a, b := &conn{}, &conn{}
	go a.handle()
	for i := 0; i < 5; i++ {
		go func() {
			time.Sleep(time.Second)
			b.Close()
		}()
	}
	time.Sleep(time.Hour)
}

func (c *conn) handle() {
	c.mu.Lock()
	c.serve()
}

// serve is called with the lock, and releases it.
func (c *conn) serve() {
	time.Sleep(time.Hour)
	c.n++
	c.mu.Unlock()
}

func (c *conn) Close() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.flush()
}

func (c *conn) flush() {
	c.mu.Lock()
	c.n = 0
	c.mu.Unlock()
}

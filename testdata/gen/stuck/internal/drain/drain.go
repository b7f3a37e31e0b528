// Package drain waits until connections have gone.
package drain

import (
	"sync"
	"time"
)

// A Counter counts connections.
type Counter struct {
	lock sync.Mutex
	idle *sync.Cond
	open int
}

// Start drains three connections, whose ends nobody announces.
func Start() {
	c := &Counter{open: 3}
	c.idle = sync.NewCond(&c.lock)
	go c.Drain()
	for i := 0; i < 3; i++ {
		go c.serve()
	}
}

// Drain waits until no connection is open.
func (c *Counter) Drain() {
	c.lock.Lock()
	for c.open > 0 {
		c.idle.Wait()
	}
	c.lock.Unlock()
}

func (c *Counter) serve() {
	time.Sleep(20 * time.Millisecond)
	c.lock.Lock()
	defer c.lock.Unlock()
	c.open--
}

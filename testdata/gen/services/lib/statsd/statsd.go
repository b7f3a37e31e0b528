// Package statsd sends counts now and then.
package statsd

import (
	"sync"
	"time"
)

// A Client sends what was counted. Early asks Close to unlock before it waits.
type Client struct {
	Early bool
	mu    sync.Mutex
	sum   int
	stop  chan struct{}
	wg    sync.WaitGroup
	Send  func(int)
}

// New starts a client with n senders.
func New(n int, early bool, send func(int)) *Client {
	c := &Client{Early: early, stop: make(chan struct{}), Send: send}
	for range n {
		c.wg.Add(1)
		go c.watch()
	}
	return c
}

func (c *Client) watch() {
	defer c.wg.Done()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			c.flush()
		case <-c.stop:
			return
		}
	}
}

func (c *Client) flush() {
	c.mu.Lock()
	sum := c.sum
	c.sum = 0
	c.mu.Unlock()
	c.Send(sum)
}

// Count adds.
func (c *Client) Count(n int) {
	c.mu.Lock()
	c.sum += n
	c.mu.Unlock()
}

// Close ends the senders.
func (c *Client) Close() {
	c.mu.Lock()
	time.Sleep(5 * time.Millisecond)
	close(c.stop)
	if c.Early {
		c.mu.Unlock()
		c.wg.Wait()
		return
	}
	c.wg.Wait()
	c.mu.Unlock()
}

// Package abci sends requests to an application and calls back with its answers.
package abci

import (
	"sync"
	"time"
)

// A Client keeps the order of answers. Loose asks for callbacks without the lock.
type Client struct {
	Loose   bool
	mu      sync.Mutex
	err     error
	OnReply func(int)
	replies chan int
}

// New starts a client.
func New(loose bool) *Client {
	c := &Client{Loose: loose, replies: make(chan int, 8)}
	go c.recv()
	return c
}

func (c *Client) recv() {
	for n := range c.replies {
		c.didReply(n)
	}
}

func (c *Client) didReply(n int) {
	c.mu.Lock()
	if c.Loose {
		c.mu.Unlock()
		c.OnReply(n)
		return
	}
	defer c.mu.Unlock()
	c.OnReply(n)
}

// Err is the last error.
func (c *Client) Err() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err
}

// Check sends a request.
func (c *Client) Check(n int) error {
	time.Sleep(time.Millisecond)
	c.replies <- n
	return c.Err()
}

// Package replies is a client that has one request in flight.
package replies

import (
	"sync"
	"time"
)

// A Client sends requests and waits for their replies.
type Client struct {
	lock    sync.Mutex
	pending int
	replies chan string
	wire    chan string
}

// Start sends a request; five more callers want to.
func Start() {
	c := &Client{replies: make(chan string), wire: make(chan string, 8)}
	go c.readLoop()
	for i := 0; i < 6; i++ {
		go c.ping()
	}
}

func (c *Client) ping() { c.Call("ping") }

// Call sends a request and waits for the reply.
func (c *Client) Call(method string) string {
	c.lock.Lock()
	defer c.lock.Unlock()
	c.pending++
	c.wire <- method
	return <-c.replies
}

// readLoop hands on what comes back.
func (c *Client) readLoop() {
	for method := range c.wire {
		time.Sleep(20 * time.Millisecond)
		c.settle()
		c.replies <- method
	}
}

func (c *Client) settle() {
	c.lock.Lock()
	c.pending--
	c.lock.Unlock()
}

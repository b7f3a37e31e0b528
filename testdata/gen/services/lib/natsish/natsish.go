// Package natsish delivers messages and calls back about errors.
package natsish

import (
	"errors"
	"sync"
)

// A Conn calls back from a goroutine of its own. Free asks for callbacks to be queued without the lock.
type Conn struct {
	Free    bool
	mu      sync.Mutex
	last    error
	calls   chan func()
	OnError func(*Conn)
}

// Connect starts a connection.
func Connect(free bool, onError func(*Conn)) *Conn {
	c := &Conn{Free: free, calls: make(chan func(), 4), OnError: onError}
	go c.callbacks()
	return c
}

func (c *Conn) callbacks() {
	for call := range c.calls {
		call()
	}
}

// Slow notes that a subscriber is slow.
func (c *Conn) Slow() {
	c.mu.Lock()
	c.last = errors.New("slow consumer")
	if c.Free {
		c.mu.Unlock()
		c.calls <- func() { c.OnError(c) }
		return
	}
	c.calls <- func() { c.OnError(c) }
	c.mu.Unlock()
}

// LastError is the last error.
func (c *Conn) LastError() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last
}

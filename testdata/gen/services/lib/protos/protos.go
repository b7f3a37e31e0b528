// Package protos runs protocols over one connection.
package protos

import (
	"sync"
	"time"
)

// A Conn forwards the errors of its protocols. Ends closes their channel at the end.
type Conn struct {
	Ends   bool
	Linger time.Duration
	wg     sync.WaitGroup
	errs   chan error
	out    chan error
}

// New starts a connection.
func New(ends bool, linger time.Duration) *Conn {
	c := &Conn{Ends: ends, Linger: linger, errs: make(chan error), out: make(chan error, 1)}
	c.wg.Add(2)
	go c.forward()
	go c.mux()
	return c
}

func (c *Conn) forward() {
	defer c.wg.Done()
	for err := range c.errs {
		c.out <- err
	}
}

func (c *Conn) mux() {
	defer c.wg.Done()
	if time.Sleep(c.Linger); c.Ends {
		close(c.errs)
	}
}

// Close waits for the goroutines of the connection.
func (c *Conn) Close() {
	c.wg.Wait()
	close(c.out)
}

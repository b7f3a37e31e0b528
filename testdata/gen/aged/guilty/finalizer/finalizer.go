// Package finalizer: the finalizer of a connection waits for a peer that is gone.
package finalizer

import (
	"runtime"
	"time"
)

type conn struct{ done chan bool }

func (c *conn) close() { <-c.done }

func newConn() *conn {
	c := &conn{done: make(chan bool)}
	runtime.SetFinalizer(c, func(c *conn) { c.close() })
	return c
}

// Main makes connections that nobody keeps.
func Main() {
	for {
		newConn()
		time.Sleep(time.Second)
	}
}

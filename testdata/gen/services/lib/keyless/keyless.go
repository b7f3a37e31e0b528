// Package keyless is a connection whose reader has a lock.
package keyless

import (
	"net"
	"sync"
	"time"
)

// A Conn reads answers. Free asks Close to close without the lock.
type Conn struct {
	Free bool
	mu   sync.Mutex
	conn net.Conn
}

// Dial connects.
func Dial(addr string, free bool) (*Conn, error) {
	c, err := net.Dial("tcp", addr)
	return &Conn{Free: free, conn: c}, err
}

// DoRead reads one answer.
func (c *Conn) DoRead() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, err := c.conn.Read(make([]byte, 1))
	return err
}

// Close ends the connection.
func (c *Conn) Close() error {
	if c.Free {
		c.conn.SetReadDeadline(time.Now().Add(5 * time.Second))
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.conn.Close()
}

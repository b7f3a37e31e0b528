// Package flush: a goroutine writes under a lock to a peer that reads nothing; others want the lock.
package flush

import (
	"net"
	"sync"
	"time"

	"aged/kit"
)

type client struct {
	mu   sync.Mutex
	conn net.Conn
	n    int
}

func (c *client) flush() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.conn.Write(make([]byte, 64<<20))
	c.n++
}

func (c *client) send(x int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.n += x
}

// Main writes to a server that accepts and no more.
func Main() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		panic(err)
	}
	c := &client{conn: conn}
	go c.flush()
	time.Sleep(time.Second)
	for i := range 6 {
		go c.send(i)
	}
	kit.Wait()
	l.Close()
}

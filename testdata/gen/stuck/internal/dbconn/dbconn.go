// Package dbconn talks to a database over one connection.
package dbconn

import (
	"bufio"
	"net"
	"sync"
	"time"
)

// A Conn sends one query at a time. The database's end is kept with it, so that it stays open.
type Conn struct {
	mu   sync.Mutex
	conn net.Conn
	peer net.Conn
	r    *bufio.Reader
}

// Start queries a database that takes connections and answers nothing.
func Start() {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return
	}
	defer l.Close()
	conn, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		return
	}
	peer, err := l.Accept()
	if err != nil {
		return
	}
	c := &Conn{conn: conn, peer: peer, r: bufio.NewReader(conn)}
	for i := 0; i < 21; i++ {
		go handle(c)
		time.Sleep(time.Millisecond)
	}
}

func handle(c *Conn) { c.Query("SELECT 1\n") }

// Query sends a query and reads the answer.
func (c *Conn) Query(text string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, err := c.conn.Write([]byte(text)); err != nil {
		return "", err
	}
	return c.readAnswer()
}

func (c *Conn) readAnswer() (string, error) { return c.r.ReadString('\n') }

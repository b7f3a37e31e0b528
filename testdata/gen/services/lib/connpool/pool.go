// Package connpool keeps a fixed number of connections.
package connpool

import "context"

type Conn struct{ ID int }

func (c *Conn) Do(cmd string) error { return nil }

type Pool struct{ idle chan *Conn }

func New(size int) *Pool {
	p := &Pool{idle: make(chan *Conn, size)}
	for i := range size {
		p.idle <- &Conn{i}
	}
	return p
}

// Get waits for a connection.
func (p *Pool) Get(ctx context.Context) (*Conn, error) {
	select {
	case c := <-p.idle:
		return c, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (p *Pool) Put(c *Conn) { p.idle <- c }

// Package cqlpool keeps connections to one host, one for each shard.
package cqlpool

import (
	"errors"
	"sync"
	"time"
)

// A Pool keeps connections. Apart asks Put to close what is too much without the lock.
type Pool struct {
	Apart bool
	mu    sync.RWMutex
	conns map[int]*Conn
}

// A Conn tells its pool when it fails.
type Conn struct {
	pool *Pool
	bad  bool
}

// NewConn is a connection.
func (p *Pool) NewConn(bad bool) *Conn { return &Conn{p, bad} }

// Put keeps a connection, or closes it where its shard has one.
func (p *Pool) Put(shard int, c *Conn) {
	p.mu.Lock()
	if p.conns == nil {
		p.conns = map[int]*Conn{}
	}
	excess := p.conns[shard]
	p.conns[shard] = c
	if p.Apart {
		p.mu.Unlock()
		excess.Close()
		return
	}
	defer p.mu.Unlock()
	excess.Close()
}

// Close ends a connection.
func (c *Conn) Close() {
	if c == nil {
		return
	}
	if time.Sleep(30 * time.Millisecond); c.bad {
		c.fail(errors.New("reset by peer"))
	}
}

func (c *Conn) fail(err error) { c.pool.HandleError(c, err) }

// HandleError forgets a connection.
func (p *Pool) HandleError(c *Conn, _ error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	time.Sleep(20 * time.Millisecond)
}

// Pick is a connection.
func (p *Pool) Pick(shard int) *Conn {
	p.mu.RLock()
	defer p.mu.RUnlock()
	return p.conns[shard]
}

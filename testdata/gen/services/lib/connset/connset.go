// Package connset keeps connections to hosts and brings back those that failed.
package connset

import (
	"sync"
	"time"
)

// A Set has connections; Ordered asks for one order of locks.
type Set struct {
	mu      sync.Mutex
	Ordered bool
	dead    []*Conn
}

// A Conn is one connection.
type Conn struct {
	mu       sync.Mutex
	set      *Set
	failures int
}

// Add adds a connection.
func (s *Set) Add() *Conn { return &Conn{set: s} }

// Failed takes a connection out for a moment.
func (s *Set) Failed(c *Conn) {
	s.mu.Lock()
	s.dead = append(s.dead, c)
	s.mu.Unlock()
	time.AfterFunc(time.Millisecond, func() { s.revive(c) })
}

func (s *Set) revive(c *Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(time.Millisecond)
	c.reset()
	s.dead = nil
}

func (c *Conn) reset() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.failures = 0
}

// Succeeded takes a connection back.
func (c *Conn) Succeeded() {
	if c.set.Ordered {
		c.set.forget(c)
		c.mu.Lock()
		defer c.mu.Unlock()
		time.Sleep(time.Millisecond)
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	time.Sleep(time.Millisecond)
	c.set.forget(c)
}

func (s *Set) forget(*Conn) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.dead = nil
}

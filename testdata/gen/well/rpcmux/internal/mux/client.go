// Package mux has many calls under way on one connection.
package mux

import (
	"encoding/gob"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

type call struct {
	ID   int
	Work time.Duration
}

type answer struct{ ID int }

// A Client knows which calls wait for their answer.
type Client struct {
	requests chan call

	mu      sync.Mutex
	last    int
	pending map[int]chan answer
}

// Dial connects to a server.
func Dial(addr string) (*Client, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("connecting: %w", err)
	}
	c := &Client{requests: make(chan call), pending: map[int]chan answer{}}
	go c.write(conn)
	go c.read(conn)
	return c, nil
}

// begin registers a call and sends it.
func (c *Client) begin(work time.Duration) (int, <-chan answer) {
	answers := make(chan answer, 1)
	c.mu.Lock()
	c.last++
	id := c.last
	c.pending[id] = answers
	c.mu.Unlock()
	c.requests <- call{id, work}
	return id, answers
}

// Call waits for the answer for as long as it takes.
func (c *Client) Call(work time.Duration) error {
	_, answers := c.begin(work)
	if _, ok := <-answers; !ok {
		return errors.New("the connection was closed")
	}
	return nil
}

// CallWithin waits for the answer for a while.
func (c *Client) CallWithin(work, patience time.Duration) error {
	id, answers := c.begin(work)
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-answers:
		return nil
	case <-timer.C:
		c.mu.Lock()
		delete(c.pending, id)
		c.mu.Unlock()
		return errors.New("no answer")
	}
}

func (c *Client) write(conn net.Conn) {
	enc := gob.NewEncoder(conn)
	for r := range c.requests {
		if err := enc.Encode(r); err != nil {
			return
		}
	}
}

// read hands answers to who waits for them, and ends all waits when the connection ends.
func (c *Client) read(conn net.Conn) {
	for dec := gob.NewDecoder(conn); ; {
		var a answer
		if err := dec.Decode(&a); err != nil {
			break
		}
		c.mu.Lock()
		answers := c.pending[a.ID]
		delete(c.pending, a.ID)
		c.mu.Unlock()
		if answers != nil {
			answers <- a
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, answers := range c.pending {
		close(answers)
	}
}

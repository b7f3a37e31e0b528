// Package rpc sends many requests over one connection.
package rpc

import (
	"bufio"
	"encoding/json"
	"log"
	"net"
	"sync"
	"sync/atomic"
)

type message struct {
	ID   uint64 `json:"id"`
	Body string `json:"body"`
}

// Client is a connection.
type Client struct {
	conn    net.Conn
	mu      sync.Mutex
	next    uint64
	pending map[uint64]chan message
	answers atomic.Int64
}

// Dial connects to an address.
func Dial(addr string) (*Client, error) {
	conn, err := net.Dial("tcp", addr)
	if err != nil {
		return nil, err
	}
	c := &Client{conn: conn, pending: map[uint64]chan message{}}
	go c.readLoop()
	return c, nil
}

// Answers is how many answers have come.
func (c *Client) Answers() int64 { return c.answers.Load() }

// Call sends a request and returns its answer.
func (c *Client) Call(body string) (string, error) {
	answer := make(chan message, 1)
	c.mu.Lock()
	c.next++
	m := message{c.next, body}
	c.pending[m.ID] = answer
	err := json.NewEncoder(c.conn).Encode(m)
	c.mu.Unlock()
	if err != nil {
		return "", err
	}
	m = <-answer
	return m.Body, nil
}

func (c *Client) readLoop() {
	s := bufio.NewScanner(c.conn)
	for s.Scan() {
		var m message
		if err := json.Unmarshal(s.Bytes(), &m); err != nil {
			log.Printf("rpc: %v", err)
			return
		}
		c.mu.Lock()
		answer := c.pending[m.ID]
		delete(c.pending, m.ID)
		c.mu.Unlock()
		if answer != nil {
			answer <- m
			c.answers.Add(1)
		}
	}
}

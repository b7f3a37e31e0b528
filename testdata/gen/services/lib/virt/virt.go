// Package virt talks to a hypervisor: answers are dispatched by number.
package virt

import (
	"errors"
	"sync"
	"time"
)

// A Conn dispatches answers. Room is how many a caller may leave unread.
type Conn struct {
	mu      sync.Mutex
	waiting map[int]chan string
	answers chan int
	room    int
}

// Dial starts a connection.
func Dial(room int) *Conn {
	c := &Conn{waiting: map[int]chan string{}, answers: make(chan int, 64), room: room}
	go c.listen()
	return c
}

func (c *Conn) listen() {
	for n := range c.answers {
		c.dispatch(n)
	}
}

func (c *Conn) dispatch(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ch := c.waiting[n]; ch != nil {
		ch <- "answer"
	}
}

func (c *Conn) register(n int) chan string {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.waiting[n] = make(chan string, c.room)
	return c.waiting[n]
}

func (c *Conn) deregister(n int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.waiting, n)
}

// Call asks and waits.
func (c *Conn) Call(n int, broken bool) (string, error) {
	ch := c.register(n)
	defer c.deregister(n)
	c.answers <- n
	if broken {
		time.Sleep(10 * time.Millisecond)
		return "", errors.New("short write")
	}
	if c.room > 0 {
		time.Sleep(time.Second)
	}
	return <-ch, nil
}

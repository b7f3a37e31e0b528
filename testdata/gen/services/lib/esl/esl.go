// Package esl reads events of a switchboard.
package esl

import (
	"errors"
	"time"
)

// A Conn reads events.
type Conn struct {
	events chan string
	errs   chan error
}

// Dial starts to read; the line breaks after a while.
func Dial(lasts time.Duration) *Conn {
	c := &Conn{make(chan string), make(chan error)}
	go c.readLoop(lasts)
	return c
}

func (c *Conn) readLoop(lasts time.Duration) {
	time.Sleep(lasts)
	c.errs <- errors.New("line is down")
	close(c.events)
}

// Read is the next event.
func (c *Conn) Read() (string, error) {
	select {
	case e := <-c.events:
		return e, nil
	case err := <-c.errs:
		return "", err
	}
}

// Package fetch asks a slow backend.
package fetch

import (
	"errors"
	"time"
)

var errTimeout = errors.New("timeout")

type response struct{ body string }

// A Client has a patience.
type Client struct{ timeout time.Duration }

// Start asks forty times.
func Start() {
	c := &Client{timeout: 10 * time.Millisecond}
	for i := 0; i < 40; i++ {
		c.Get("/status")
	}
}

// Get waits for the backend as long as the client's patience lasts.
func (c *Client) Get(path string) (response, error) {
	done := make(chan response)
	go func() {
		done <- ask(path)
	}()
	select {
	case r := <-done:
		return r, nil
	case <-time.After(c.timeout):
		return response{}, errTimeout
	}
}

func ask(path string) response {
	time.Sleep(30 * time.Millisecond)
	return response{"late " + path}
}

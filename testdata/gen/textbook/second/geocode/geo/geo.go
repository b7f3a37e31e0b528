// Package geo asks a provider where addresses are.
package geo

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"
)

// A Point is in degrees.
type Point struct{ Lat, Lon float64 }

// A Client remembers answers for a while.
type Client struct {
	base string
	http *http.Client

	mu    sync.Mutex
	known map[string]Point
}

// NewClient asks base.
func NewClient(base string) *Client {
	return &Client{base: base, http: new(http.Client), known: map[string]Point{}}
}

// Lookup finds an address.
func (c *Client) Lookup(address string) (p Point, err error) {
	c.mu.Lock()
	p, ok := c.known[address]
	c.mu.Unlock()
	if ok {
		return p, nil
	}
	res, err := c.http.Get(c.base + "?q=" + url.QueryEscape(address))
	if err != nil {
		return p, err
	}
	defer res.Body.Close()
	if _, err := fmt.Fscan(io.LimitReader(res.Body, 64), &p.Lat, &p.Lon); err != nil {
		return p, err
	}
	c.mu.Lock()
	c.known[address] = p
	c.mu.Unlock()
	return p, nil
}

// Age forgets answers each minute.
func (c *Client) Age(ctx context.Context) {
	for {
		select {
		case <-time.After(time.Minute):
			c.mu.Lock()
			clear(c.known)
			c.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

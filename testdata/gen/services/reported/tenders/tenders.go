// Package tenders opens connections to a database, a few at a time.
package tenders

import (
	"context"
	"errors"
	"net/http"
	"sync/atomic"
	"time"

	"example.com/services/kit"
	"golang.org/x/sync/semaphore"
)

type Pool struct {
	slots *semaphore.Weighted
	dials atomic.Int64
	good  bool
}

type conn struct{ p *Pool }

func (p *Pool) dial() (*conn, error) {
	if p.dials.Add(1)%3 == 0 && !p.good {
		return nil, errors.New("refused")
	}
	return &conn{p}, nil
}

// Get waits for a slot and dials.
func (p *Pool) Get(ctx context.Context) (*conn, error) {
	if err := p.slots.Acquire(ctx, 1); err != nil {
		return nil, err
	}
	c, err := p.dial()
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (c *conn) query() { time.Sleep(400 * time.Millisecond) }

func (c *conn) Close() { c.p.slots.Release(1) }

func (p *Pool) list(w http.ResponseWriter, _ *http.Request) {
	c, err := p.Get(context.Background())
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadGateway)
		return
	}
	defer c.Close()
	c.query()
}

func Main(fixed bool) {
	kit.Start()
	p := &Pool{slots: semaphore.NewWeighted(4), good: fixed}
	url := kit.API(http.HandlerFunc(p.list))
	if fixed {
		for range 30 {
			go func() {
				for {
					kit.Get(url)
				}
			}()
		}
	} else {
		kit.Ask(40, 150*time.Millisecond, url)
	}
	kit.Wait()
}

// Package cache holds what was read from the database.
package cache

import (
	"fmt"
	"sync"
	"time"
)

// Cache maps names to rows.
type Cache struct {
	mu    sync.Mutex
	ready *sync.Cond
	rows  map[string]time.Time
	once  bool
}

// New returns an empty cache.
func New() *Cache {
	c := &Cache{rows: map[string]time.Time{}}
	c.ready = sync.NewCond(&c.mu)
	return c
}

// WaitReady returns when the cache has been filled for the first time.
func (c *Cache) WaitReady() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ready.Wait()
}

// Refresh fills the cache again and again.
func (c *Cache) Refresh(every time.Duration) {
	for {
		c.fill()
		time.Sleep(every)
	}
}

func (c *Cache) fill() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i := range 100 {
		c.rows[fmt.Sprint("row-", i)] = time.Now()
	}
	if !c.once {
		c.once = true
		c.ready.Broadcast()
	}
}

// Expire removes old rows.
func (c *Cache) Expire() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k, t := range c.rows {
		if time.Since(t) > time.Minute {
			delete(c.rows, k)
		}
	}
}

// Len is how many rows there are.
func (c *Cache) Len() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.rows)
}

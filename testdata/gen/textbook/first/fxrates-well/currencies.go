package main

import (
	"context"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// A currenciesCache keeps currencies in memory and reads them anew every few seconds.
type currenciesCache struct {
	mu   sync.RWMutex
	rows map[string]int
}

func (c *currenciesCache) refresh(ctx context.Context) {
	tick := time.NewTicker(3 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case now := <-tick.C:
			rows := map[string]int{"north": now.Second(), "south": now.Minute()}
			c.mu.Lock()
			c.rows = rows
			c.mu.Unlock()
		}
	}
}

func (c *currenciesCache) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c.mu.RLock()
	defer c.mu.RUnlock()
	fmt.Fprintln(w, c.rows[r.FormValue("of")])
}

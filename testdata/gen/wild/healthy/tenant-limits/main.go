// Command tenant-limits counts what its tenants do. A tenant's counters are made with its first request and given back
// ten minutes after its last one, so there are never more of them than tenants.
package main

import (
	"context"
	"fmt"
	"log"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/jellydator/ttlcache/v3"
	"wild/kit"
)

const tenants, idle = 110, 4 * time.Minute

type counters struct {
	hits *ttlcache.Cache[string, int]
	last time.Time
}

type registry struct {
	mu  sync.Mutex
	all map[string]*counters
}

// of returns a tenant's counters, which are made when it is seen first.
func (r *registry) of(tenant string) *counters {
	r.mu.Lock()
	defer r.mu.Unlock()
	c := r.all[tenant]
	if c == nil {
		c = &counters{hits: ttlcache.New(ttlcache.WithTTL[string, int](time.Minute))}
		go c.hits.Start()
		r.all[tenant] = c
	}
	c.last = time.Now()
	return c
}

// sweep gives back the counters of those who are gone.
func (r *registry) sweep() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for name, c := range r.all {
		if time.Since(c.last) > idle {
			c.hits.Stop()
			delete(r.all, name)
			log.Printf("%s is idle", name)
		}
	}
}

func (r *registry) serve(tenant string, path string) {
	hits := r.of(tenant).hits
	n := 0
	if item := hits.Get(path); item != nil {
		n = item.Value()
	}
	hits.Set(path, n+1, ttlcache.DefaultTTL)
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	r := &registry{all: map[string]*counters{}}
	for i := 0; ctx.Err() == nil; i++ {
		// A new tenant every 2.5 s; the others are there already.
		go r.serve(fmt.Sprintf("tenant-%d", (i/5)%(tenants*2)), fmt.Sprintf("/%d", i%7))
		if i%20 == 0 {
			r.sweep()
		}
		time.Sleep(500 * time.Millisecond)
	}
}

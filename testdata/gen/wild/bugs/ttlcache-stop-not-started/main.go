// Command ttlcache-stop-not-started caches profiles for each tenant and takes a new cache when a tenant's settings
// change.
//
// Report: https://github.com/jellydator/ttlcache/issues/175
package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/jellydator/ttlcache/v3"
	"wild/kit"
)

type profile struct {
	user  string
	roles []string
}

// Settings of a tenant. With a ttl of zero its profiles never expire.
type settings struct {
	tenant string
	ttl    time.Duration
}

// A directory has a cache for each tenant.
type directory struct {
	mu     sync.RWMutex
	caches map[string]*ttlcache.Cache[string, profile]
}

// openCache makes the cache of one tenant. Only a cache whose profiles expire needs its cleaner.
func openCache(s settings) *ttlcache.Cache[string, profile] {
	c := ttlcache.New(ttlcache.WithTTL[string, profile](s.ttl), ttlcache.WithCapacity[string, profile](1000))
	if s.ttl > 0 {
		go c.Start()
	}
	return c
}

// closeCache gives up the cache of a tenant.
func closeCache(tenant string, c *ttlcache.Cache[string, profile]) {
	c.Stop()
	c.DeleteAll()
	log.Printf("cache of %s is closed", tenant)
}

// apply takes over changed settings as they come.
func (d *directory) apply(changes <-chan settings) {
	for s := range changes {
		fresh := openCache(s)
		d.mu.Lock()
		old := d.caches[s.tenant]
		d.caches[s.tenant] = fresh
		d.mu.Unlock()
		if old != nil {
			closeCache(s.tenant, old)
		}
	}
}

// lookup returns the profile of a user, from the cache if it is there.
func (d *directory) lookup(tenant, user string) profile {
	d.mu.RLock()
	c := d.caches[tenant]
	d.mu.RUnlock()
	if c == nil {
		return profile{user: user}
	}
	if item := c.Get(user); item != nil {
		return item.Value()
	}
	p := profile{user: user, roles: []string{"reader"}}
	c.Set(user, p, ttlcache.DefaultTTL)
	return p
}

// serve looks profiles up as requests would.
func (d *directory) serve() {
	for n := 0; ; n++ {
		d.lookup(fmt.Sprintf("tenant-%d", n%4), fmt.Sprintf("user-%d", n%300))
		time.Sleep(5 * time.Millisecond)
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	d := &directory{caches: make(map[string]*ttlcache.Cache[string, profile])}
	changes := make(chan settings)
	go d.apply(changes)
	for i := range 4 {
		changes <- settings{tenant: fmt.Sprintf("tenant-%d", i), ttl: time.Duration(i) * time.Minute}
	}
	go d.serve()
	time.Sleep(2 * time.Second)
	changes <- settings{tenant: "tenant-0", ttl: 10 * time.Minute}
	<-ctx.Done()
}

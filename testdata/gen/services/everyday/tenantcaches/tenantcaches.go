// Package tenantcaches keeps a cache of ttlcache for each of 600 tenants, made when a tenant's first request comes.
//
// It looks like a library's loops that pile up (loops-pile-up, goroutine-pile-up, growing-goroutines): 600 goroutines run
// ttlcache's loop, and came one by one. All tenants have come after two minutes; there is one cache for each.
package tenantcaches

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
	"github.com/jellydator/ttlcache/v3"
)

type registry struct {
	mu     sync.Mutex
	caches map[string]*ttlcache.Cache[string, int]
}

// of returns a tenant's cache.
func (r *registry) of(tenant string) *ttlcache.Cache[string, int] {
	r.mu.Lock()
	defer r.mu.Unlock()
	cache := r.caches[tenant]
	if cache == nil {
		cache = ttlcache.New(ttlcache.WithTTL[string, int](time.Hour))
		go cache.Start()
		r.caches[tenant] = cache
	}
	return cache
}

func (r *registry) ServeHTTP(w http.ResponseWriter, request *http.Request) {
	r.of(request.URL.Path).Set("seen", 1, ttlcache.DefaultTTL)
}

// Main serves tenants.
func Main() {
	kit.Start()
	url := kit.API(&registry{caches: map[string]*ttlcache.Cache[string, int]{}})
	for i := 0; ; i++ {
		kit.Get(fmt.Sprint(url, "/", i%600))
		time.Sleep(200 * time.Millisecond)
	}
}

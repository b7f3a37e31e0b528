// Package geo: a look-up waits under the cache's lock for a batch, whose goroutine wants the lock.
package geo

import (
	"fmt"
	"net/http"
	"sync"
	"time"

	"aged/kit"
)

type cache struct {
	mu      sync.Mutex
	places  map[string]string
	pending []string
	done    chan struct{}
}

func (c *cache) put(key, place string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.places[key] = place
}

// get returns a place. What is not there is loaded with what others ask for at the same time.
func (c *cache) get(key string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p, ok := c.places[key]; ok {
		return p
	}
	if c.done == nil {
		c.done = make(chan struct{})
		go c.flush(c.done)
	}
	c.pending = append(c.pending, key)
	<-c.done
	return c.places[key]
}

func (c *cache) flush(done chan struct{}) {
	time.Sleep(5 * time.Millisecond)
	c.mu.Lock()
	keys := c.pending
	c.pending, c.done = nil, nil
	c.mu.Unlock()
	for _, key := range keys {
		c.put(key, "place "+key)
	}
	close(done)
}

// Main serves it: for a minute what is known, then something else too.
func Main() {
	c := &cache{places: map[string]string{"10001": "town", "10002": "town"}}
	mux := http.NewServeMux()
	mux.HandleFunc("/places/{code}", func(w http.ResponseWriter, r *http.Request) {
		fmt.Fprintln(w, c.get(r.PathValue("code")))
	})
	mux.HandleFunc("/healthz", kit.OK)
	address := kit.API(mux)
	go kit.Visit(address, 15*time.Second, "/places/10001", "/places/10002")
	go kit.Visit(address, 2*time.Second, "/healthz")
	time.Sleep(time.Minute)
	go kit.Visit(address, time.Hour, "/places/99999")
	kit.Wait()
}

// Command profiles answers who a user is, and keeps the profiles of the last minute in a cache.
//
// Report: https://github.com/hashicorp/golang-lru/issues/230
package main

import (
	"context"
	"fmt"
	"log"
	"math/rand/v2"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"
	"wild/kit"
)

type profile struct {
	name  string
	since time.Time
}

// lowWater is how many profiles a cache in use holds.
const lowWater = 8

var (
	c        *expirable.LRU[string, profile]
	removals = make(chan string, 64)
)

// lookup returns a profile from the cache, or loads it.
func lookup(id string) profile {
	if p, ok := c.Get(id); ok {
		return p
	}
	p := profile{name: "user " + id, since: time.Now()}
	c.Add(id, p)
	return p
}

// browse is the traffic: eight users come back again and again.
func browse(ctx context.Context) {
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			lookup(fmt.Sprint("u", rand.IntN(8)))
		case <-ctx.Done():
			return
		}
	}
}

// invalidate drops the profile of a user who changed it.
func invalidate(ctx context.Context) {
	tick := time.NewTicker(3 * time.Second)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-tick.C:
			c.Remove(fmt.Sprint("u", n%8))
		case <-ctx.Done():
			return
		}
	}
}

// account writes down which removals left the cache short.
func account() {
	for id := range removals {
		if n := c.Len(); n < lowWater {
			log.Printf("%s left, %d profiles stay", id, n)
		}
	}
}

func handleProfile(w http.ResponseWriter, r *http.Request) {
	p := lookup(r.FormValue("id"))
	fmt.Fprintf(w, "%s since %s\n", p.name, p.since.Format(time.RFC3339))
}

func main() {
	kit.Serve()
	c = expirable.NewLRU(10, evicted, time.Minute)
	http.HandleFunc("/profile", handleProfile)

	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go account()
	go browse(ctx)
	go invalidate(ctx)
	<-ctx.Done()
}

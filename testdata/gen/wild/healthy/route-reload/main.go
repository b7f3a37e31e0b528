// Command route-reload serves routes from a table. A reload takes the table for itself until every backend has confirmed
// the new routes, which takes six seconds, and requests wait that long.
package main

import (
	"fmt"
	"log"
	"sync"
	"time"

	"wild/kit"
)

type table struct {
	mu     sync.RWMutex
	routes map[string]string
	checks chan check
}

type check struct {
	backend   string
	confirmed chan bool
}

// Reload replaces the table. The lock is held until the last backend has confirmed.
func (t *table) Reload(backends []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	routes := map[string]string{}
	for i, b := range backends {
		c := check{b, make(chan bool)}
		t.checks <- c
		if <-c.confirmed {
			routes[fmt.Sprintf("/%d", i)] = b
		}
	}
	t.routes = routes
}

// confirm asks one backend after the other; each needs 0.3 s.
func (t *table) confirm() {
	for c := range t.checks {
		wait := make(chan struct{})
		time.AfterFunc(300*time.Millisecond, func() { close(wait) })
		<-wait
		c.confirmed <- true
	}
}

// Lookup finds the backend of a path.
func (t *table) Lookup(path string) string {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return t.routes[path]
}

func main() {
	kit.Serve()
	t := &table{checks: make(chan check)}
	go t.confirm()
	go func() {
		for n := 0; ; n++ {
			var backends []string
			for i := 0; i < 20; i++ {
				backends = append(backends, fmt.Sprintf("10.0.%d.%d", n%200, i))
			}
			t.Reload(backends)
			log.Printf("reload %d", n)
			time.Sleep(time.Second)
		}
	}()
	for i := 0; ; i++ {
		go t.Lookup(fmt.Sprintf("/%d", i%20))
		time.Sleep(500 * time.Millisecond)
	}
}

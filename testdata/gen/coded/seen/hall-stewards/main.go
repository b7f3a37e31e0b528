// Hall-stewards seat guests; more stewards come when the hall is full.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type hall struct {
	mu     sync.Mutex
	seated int
	guests chan string
}

// steward seats one guest after the other.
func (h *hall) steward() {
	for g := range h.guests {
		h.mu.Lock()
		h.seated++
		h.mu.Unlock()
		log.Print(g)
	}
}

// arrive sends a party in; nobody is counted until all of it are inside.
func (h *hall) arrive(party ...string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, g := range party {
		h.guests <- g
	}
}

func main() {
	kit.Serve()
	h := &hall{guests: make(chan string)}
	go h.steward()
	go h.arrive("Ada", "Ben", "Cas")
	for {
		time.Sleep(20 * time.Minute)
		go h.steward()
	}
}

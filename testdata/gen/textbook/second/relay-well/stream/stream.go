// Package stream sends scores to followers.
package stream

import (
	"fmt"
	"net/http"
	"sync"
	"time"
)

// A Hub plays a game.
type Hub struct {
	gen  int
	over chan struct{}

	mu    sync.Mutex
	fans  map[chan string]bool
	goals int
}

// NewHub numbers the hubs of a process.
func NewHub(gen int) *Hub {
	return &Hub{gen: gen, over: make(chan struct{}), fans: map[chan string]bool{}}
}

// Close ends the game.
func (h *Hub) Close() { close(h.over) }

// Play shoots goals until the game is over.
func (h *Hub) Play(every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-h.over:
			return
		case <-t.C:
		}
		h.mu.Lock()
		h.goals++
		for fan := range h.fans {
			select {
			case fan <- fmt.Sprintf("%d: %d goals\n", h.gen, h.goals):
			default: // the fan is slow
			}
		}
		h.mu.Unlock()
	}
}

// Follow streams the scores of a game.
func (h *Hub) Follow(w http.ResponseWriter, r *http.Request) {
	fan := make(chan string, 1)
	h.mu.Lock()
	h.fans[fan] = true
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.fans, fan)
		h.mu.Unlock()
	}()
	out := http.NewResponseController(w)
	for {
		select {
		case line := <-fan:
			fmt.Fprint(w, line)
			if out.Flush() != nil {
				return
			}
		case <-h.over:
			return
		case <-r.Context().Done():
			return
		}
	}
}

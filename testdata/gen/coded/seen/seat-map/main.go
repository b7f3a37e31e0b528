// Seat-map reserves seats.
package main

import (
	"errors"
	"log"
	"sync"
	"time"

	"coded/kit"
)

type hall struct {
	mu    sync.Mutex
	taken map[int]bool
}

// reserve takes a seat.
func (h *hall) reserve(seat int) error {
	h.mu.Lock()
	if h.taken[seat] {
		return errors.New("the seat is taken")
	}
	h.taken[seat] = true
	h.mu.Unlock()
	return nil
}

func (h *hall) free() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return 100 - len(h.taken)
}

func main() {
	kit.Serve()
	h := &hall{taken: map[int]bool{}}
	for n := 0; n < 8; n++ {
		go func(n int) {
			for {
				time.Sleep(time.Second)
				if err := h.reserve(n % 5); err != nil {
					log.Print(err)
				}
				log.Print(h.free())
			}
		}(n)
	}
	kit.Wait()
}

// Package tickets: requests wait for a seat plan whose printer has ended without a signal.
package tickets

import (
	"errors"
	"fmt"
	"net/http"
	"sync"
	"time"

	"aged/kit"
)

type hall struct {
	mu   sync.Mutex
	cond *sync.Cond
	plan []int
}

// print makes the plan; where it fails, nobody is told.
func (h *hall) print() error {
	time.Sleep(2 * time.Second)
	if h.plan == nil {
		return errors.New("no paper")
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.plan = append(h.plan, 1)
	h.cond.Broadcast()
	return nil
}

func (h *hall) seat() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	for len(h.plan) == 0 {
		h.cond.Wait()
	}
	return h.plan[0]
}

// Main runs it.
func Main() {
	h := &hall{}
	h.cond = sync.NewCond(&h.mu)
	address := kit.API(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, h.seat()) }))
	go h.print()
	for range 6 {
		go kit.Hold(address, "/seat")
	}
	kit.Wait()
}

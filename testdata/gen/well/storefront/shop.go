package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"sync"
	"time"
)

// A shop answers requests. Searches cost much, so that only four run at a time.
type shop struct {
	prices   *feed
	searches chan struct{}

	mu      sync.RWMutex
	catalog map[string]int
}

func newShop() *shop {
	s := &shop{prices: newFeed(), searches: make(chan struct{}, 4), catalog: map[string]int{}}
	for i := 0; i < 500; i++ {
		s.catalog[fmt.Sprintf("article %d", i)] = i
	}
	return s
}

func (s *shop) routes() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("/price", s.price)
	mux.HandleFunc("/order", s.order)
	mux.HandleFunc("/search", s.search)
	mux.HandleFunc("/changes", s.changes)
	mux.HandleFunc("/events", s.events)
	mux.HandleFunc("/ticker", s.ticker)
	return mux
}

func (s *shop) price(w http.ResponseWriter, r *http.Request) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	json.NewEncoder(w).Encode(map[string]int{"price": s.catalog[r.URL.Query().Get("article")]})
}

func (s *shop) order(w http.ResponseWriter, r *http.Request) {
	var wanted map[string]int
	if err := json.NewDecoder(r.Body).Decode(&wanted); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	for name, n := range wanted {
		s.catalog[name] -= n
	}
	s.mu.Unlock()
	w.WriteHeader(http.StatusCreated)
}

func (s *shop) search(w http.ResponseWriter, r *http.Request) {
	select {
	case s.searches <- struct{}{}:
		defer func() { <-s.searches }()
	case <-r.Context().Done():
		return
	}
	time.Sleep(60 * time.Millisecond)
	fmt.Fprintln(w, "nothing found")
}

// changes answers when prices have changed: a long poll.
func (s *shop) changes(w http.ResponseWriter, r *http.Request) {
	<-s.prices.changed()
	fmt.Fprintln(w, "changed")
}

// events sends prices until the browser leaves.
func (s *shop) events(w http.ResponseWriter, r *http.Request) {
	prices := s.prices.join()
	defer s.prices.leave(prices)
	w.Header().Set("Content-Type", "text/event-stream")
	w.(http.Flusher).Flush()
	for {
		select {
		case p := <-prices:
			fmt.Fprintf(w, "data: %d\n\n", p)
			w.(http.Flusher).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

// ticker does the same in the other customary way: the subscription ends when the browser leaves, and with it the range.
func (s *shop) ticker(w http.ResponseWriter, r *http.Request) {
	prices := s.prices.join()
	go func() {
		<-r.Context().Done()
		s.prices.leave(prices)
	}()
	w.Header().Set("Content-Type", "text/event-stream")
	w.(http.Flusher).Flush()
	for p := range prices {
		fmt.Fprintf(w, "data: %d\n\n", p)
		w.(http.Flusher).Flush()
	}
}

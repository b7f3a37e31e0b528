// Package sse: news for browsers: there is none.
package sse

import (
	"net/http"
	"sync"

	"aged/kit"
)

type Board struct {
	mu   sync.Mutex
	subs []chan string
}

func (b *Board) join() chan string {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := make(chan string)
	b.subs = append(b.subs, c)
	return c
}

func (b *Board) updates(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(200)
	w.(http.Flusher).Flush()
	b.show(w, b.join())
}

func (b *Board) show(w http.ResponseWriter, c chan string) {
	for s := range c {
		w.Write([]byte(s))
	}
}

func (b *Board) news(w http.ResponseWriter, r *http.Request) {
	w.WriteHeader(200)
	w.(http.Flusher).Flush()
	c := b.join()
	for {
		select {
		case s := <-c:
			w.Write([]byte(s))
		case <-r.Context().Done():
			return
		}
	}
}

// Main runs it.
func Main() {
	b := &Board{}
	mux := http.NewServeMux()
	mux.HandleFunc("/u", b.updates)
	mux.HandleFunc("/n", b.news)
	address := kit.API(mux)
	for range 12 {
		go kit.Hold(address, "/u")
		go kit.Hold(address, "/n")
	}
	kit.Wait()
}

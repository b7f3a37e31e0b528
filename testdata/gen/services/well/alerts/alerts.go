// Package alerts keeps a stream open to each browser for as long as the browser stays.
package alerts

import (
	"bufio"
	"fmt"
	"net/http"
	"time"

	"example.com/services/kit"
)

type Hub struct {
	join, part chan chan string
	clients    map[chan string]bool
}

func (h *Hub) run() {
	tick := time.NewTicker(30 * time.Second)
	for {
		select {
		case c := <-h.join:
			h.clients[c] = true
		case c := <-h.part:
			delete(h.clients, c)
		case <-tick.C:
			for c := range h.clients {
				select {
				case c <- "alert":
				default:
				}
			}
		}
	}
}

func (h *Hub) events(w http.ResponseWriter, r *http.Request) {
	c := make(chan string, 1)
	h.join <- c
	defer func() { h.part <- c }()
	w.(http.Flusher).Flush()
	for {
		select {
		case n := <-c:
			fmt.Fprintln(w, n)
			w.(http.Flusher).Flush()
		case <-r.Context().Done():
			return
		}
	}
}

func browser(url string) {
	answer, err := http.Get(url)
	if err != nil {
		return
	}
	defer answer.Body.Close()
	for s := bufio.NewScanner(answer.Body); s.Scan(); {
	}
}

func Main() {
	kit.Start()
	h := &Hub{make(chan chan string), make(chan chan string), map[chan string]bool{}}
	go h.run()
	url := kit.API(http.HandlerFunc(h.events))
	for range 60 {
		go browser(url)
		time.Sleep(time.Second)
	}
	kit.Wait()
}

// Package notices pushes notices to browsers; one loop owns the list of them.
package notices

import (
	"errors"
	"fmt"
	"log"
	"net/http"
	"time"

	"example.com/services/kit"
)

type Hub struct {
	join    chan chan string
	part    chan chan string
	notice  chan string
	clients map[chan string]bool
}

func (h *Hub) run() {
	defer func() {
		if r := recover(); r != nil {
			log.Println("hub:", r)
		}
	}()
	for {
		select {
		case c := <-h.join:
			h.clients[c] = true
		case c := <-h.part:
			delete(h.clients, c)
		case n := <-h.notice:
			if n == "" {
				panic(errors.New("empty notice"))
			}
			for c := range h.clients {
				select {
				case c <- n:
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
	select {
	case n := <-c:
		fmt.Fprintln(w, n)
	case <-r.Context().Done():
	}
}

func Main() {
	kit.Start()
	h := &Hub{make(chan chan string), make(chan chan string), make(chan string), map[chan string]bool{}}
	go h.run()
	url := kit.API(http.HandlerFunc(h.events))
	go func() {
		for range 8 {
			time.Sleep(300 * time.Millisecond)
			h.notice <- "news"
		}
		h.notice <- ""
	}()
	kit.Ask(60, 100*time.Millisecond, url)
	kit.Wait()
}

// Bell-hub rings listeners.
package main

import (
	"log"
	"time"

	"coded/kit"
)

type hub struct {
	posts     chan int
	listeners []func(int)
}

func newHub() *hub {
	h := &hub{posts: make(chan int)}
	h.listeners = append(h.listeners, func(n int) { answer(h, n) })
	go h.loop()
	return h
}

func (h *hub) loop() {
	for n := range h.posts {
		for _, f := range h.listeners {
			f(n)
		}
	}
}

func (h *hub) post(n int) { h.posts <- n }

func answer(h *hub, n int) {
	if n%10 == 3 {
		h.post(n + 1)
	}
	log.Print(n)
}

func main() {
	kit.Serve()
	h := newHub()
	for n := 0; n < 8; n++ {
		time.Sleep(100 * time.Millisecond)
		go h.post(n)
	}
	kit.Wait()
}

// Room-chat passes messages to the members of a room by one loop.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type room struct {
	mu       sync.Mutex
	members  int
	messages chan string
}

// loop passes messages on.
func (r *room) loop() {
	for m := range r.messages {
		r.mu.Lock()
		n := r.members
		r.mu.Unlock()
		log.Print(m, " to ", n)
	}
}

// join adds a member and says so.
func (r *room) join(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.members++
	r.messages <- name + " is here"
}

func main() {
	kit.Serve()
	r := &room{messages: make(chan string)}
	go r.loop()
	for _, name := range []string{"Ada", "Grace", "Hedy", "Joan"} {
		go func(name string) {
			for {
				r.join(name)
				time.Sleep(time.Millisecond)
			}
		}(name)
	}
	kit.Wait()
}

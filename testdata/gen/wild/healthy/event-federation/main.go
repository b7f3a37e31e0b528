// Command event-federation passes events between regions. Each region's bus calls its listeners under its lock, and the
// bus of another region is one of them; the last region archives, which takes half a second an event.
package main

import (
	"log"
	"sync"
	"time"

	"wild/kit"
)

type event struct{ id int }

type bus struct {
	mu        sync.Mutex
	region    string
	listeners []func(event)
}

// Publish calls the listeners one after the other; events keep their order.
func (b *bus) Publish(e event) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, l := range b.listeners {
		l(e)
	}
}

func (b *bus) Subscribe(l func(event)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.listeners = append(b.listeners, l)
}

// forward makes one bus a listener of another.
func forward(from, to *bus) {
	from.Subscribe(func(e event) { to.Publish(e) })
}

type archive struct {
	in   chan event
	done chan struct{}
}

// run appends events to the tape, two a second.
func (a *archive) run() {
	for e := range a.in {
		time.Sleep(500 * time.Millisecond)
		if e.id%200 == 0 {
			log.Printf("event %d", e.id)
		}
		a.done <- struct{}{}
	}
}

func main() {
	kit.Serve()
	central, east, west := &bus{region: "central"}, &bus{region: "east"}, &bus{region: "west"}
	forward(east, central)
	forward(west, central)
	a := &archive{in: make(chan event), done: make(chan struct{})}
	go a.run()
	central.Subscribe(func(e event) {
		a.in <- e
		<-a.done
	})
	for i := 0; i < 8; i++ {
		b := []*bus{east, west, central, east}[i%4]
		go func() {
			for id := 0; ; id++ {
				b.Publish(event{id})
			}
		}()
	}
	select {}
}

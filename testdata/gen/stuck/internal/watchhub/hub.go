// Package watchhub spreads changes of objects to watchers.
package watchhub

import (
	"sync"
	"time"
)

// A Hub knows its watchers.
type Hub struct {
	sync.RWMutex
	watchers map[int]*Watcher
	next     int
}

// A Watcher gets events until it is stopped.
type Watcher struct {
	id     int
	hub    *Hub
	events chan string
}

// Start sends events to watchers of which one stops in the middle.
func Start() {
	h := &Hub{watchers: map[int]*Watcher{}}
	for i := 0; i < 4; i++ {
		w := h.Watch()
		go w.run(i == 2)
	}
	go func() {
		for {
			h.Broadcast("modified")
			time.Sleep(5 * time.Millisecond)
		}
	}()
}

// Watch adds a watcher.
func (h *Hub) Watch() *Watcher {
	h.Lock()
	defer h.Unlock()
	h.next++
	w := &Watcher{id: h.next, hub: h, events: make(chan string, 1)}
	h.watchers[w.id] = w
	return w
}

// Broadcast sends an event to all watchers.
func (h *Hub) Broadcast(event string) {
	h.RLock()
	defer h.RUnlock()
	for _, w := range h.watchers {
		w.events <- event
	}
}

func (w *Watcher) run(brief bool) {
	for range w.events {
		if brief {
			time.Sleep(50 * time.Millisecond)
			w.Stop()
			return
		}
	}
}

// Stop takes the watcher from its hub.
func (w *Watcher) Stop() {
	w.hub.Lock()
	delete(w.hub.watchers, w.id)
	w.hub.Unlock()
	close(w.events)
}

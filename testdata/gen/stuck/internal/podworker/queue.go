// Package podworker syncs pods, one after the other.
package podworker

import (
	"sync"
	"time"
)

type update struct {
	pod    string
	paused bool
}

// Workers sync the pods that have updates.
type Workers struct {
	lock    sync.Mutex
	pending []update
	synced  map[string]time.Time
}

// Start syncs three pods, one of which is paused.
func Start() {
	w := &Workers{synced: map[string]time.Time{}}
	w.pending = []update{{pod: "web"}, {pod: "batch", paused: true}, {pod: "db"}}
	go w.syncLoop()
	for i := 0; i < 3; i++ {
		go w.report(time.Duration(20+i) * time.Millisecond)
	}
}

// syncLoop takes the pods in turn.
func (w *Workers) syncLoop() {
	for i := 0; ; i++ {
		w.lock.Lock()
		if i >= len(w.pending) {
			w.lock.Unlock()
			time.Sleep(time.Second)
			i = -1
			continue
		}
		u := w.pending[i]
		if u.paused {
			continue // the lock goes along into the next turn
		}
		w.synced[u.pod] = time.Now()
		w.lock.Unlock()
	}
}

// report looks at the pods from time to time.
func (w *Workers) report(every time.Duration) {
	for range time.Tick(every) {
		w.lock.Lock()
		n := len(w.synced)
		w.lock.Unlock()
		_ = n
	}
}

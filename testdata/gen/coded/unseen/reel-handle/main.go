// Reel-handle hands out a film with its lock; whoever has the handle last drops it, and a finalizer unlocks.
package main

import (
	"runtime"
	"sync"
	"time"

	"coded/kit"
)

type archive struct {
	mu    sync.Mutex
	reels map[string]*handle
}

type handle struct{ a *archive }

// open waits until no handle is open.
func (a *archive) open() *handle {
	a.mu.Lock()
	h := &handle{a}
	runtime.SetFinalizer(h, (*handle).close)
	return h
}

func (h *handle) close() { h.a.mu.Unlock() }

// screening keeps a reel for as long as it is shown.
func screening(a *archive, film string) {
	a.reels[film] = a.open()
	time.AfterFunc(125*time.Second, func() { delete(a.reels, film) })
}

func main() {
	kit.Serve()
	a := &archive{reels: map[string]*handle{}}
	screening(a, "north")
	screening(a, "south")
}

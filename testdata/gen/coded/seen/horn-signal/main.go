// Horn-signal holds ships until the fog is gone: a lock that the lighthouse unlocks.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type harbour struct {
	fog   sync.Mutex
	ships int
}

// hold locks the harbour, asks the lighthouse to unlock it, and waits for that.
func (h *harbour) hold() {
	h.fog.Lock()
	go h.lighthouse()
	h.sail()
}

// sail waits until the harbour is free.
func (h *harbour) sail() {
	h.fog.Lock()
	h.ships++
	h.fog.Unlock()
	log.Print("a ship sails")
}

// lighthouse sees the end of the fog.
func (h *harbour) lighthouse() {
	time.Sleep(30 * time.Minute)
	h.fog.Unlock()
}

func main() {
	kit.Serve()
	h := &harbour{}
	h.hold()
	kit.Wait()
}

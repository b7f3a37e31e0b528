// Hall-iface opens its doors by a clock.
package main

import (
	"coded/kit"
	"coded/unseen/hall-iface/clock"
)

type hall struct{ open chan struct{} }

func newHall() *hall { return &hall{open: make(chan struct{})} }

// Strike opens the doors.
func (h *hall) Strike() { close(h.open) }

func (h *hall) visitor() { <-h.open }

func main() {
	kit.Serve()
	h := newHall()
	for n := 0; n < 7; n++ {
		go h.visitor()
	}
	go clock.Run(h)
	kit.Wait()
}

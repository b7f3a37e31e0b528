// Package sem: every second call returns early and keeps its slot.
package sem

import (
	"errors"
	"time"
)

type gate struct{ slots chan struct{} }

func (g *gate) enter() { g.slots <- struct{}{} }
func (g *gate) leave() { <-g.slots }

func (g *gate) do(i int) error {
	g.enter()
	if i%2 == 0 {
		return errors.New("even")
	}
	g.leave()
	return nil
}

// Main starts a call every few seconds.
func Main() {
	g := &gate{make(chan struct{}, 4)}
	for i := 0; ; i++ {
		go g.do(i)
		time.Sleep(4 * time.Second)
	}
}

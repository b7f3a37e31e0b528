// Gate-lock asks a gate for its state.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type gate struct {
	mu     sync.Mutex
	asked  chan chan int
	answer chan int
	state  int
}

func newGate() *gate {
	g := &gate{asked: make(chan chan int), answer: make(chan int)}
	go g.loop()
	return g
}

func (g *gate) loop() {
	for range g.asked {
		g.mu.Lock()
		g.state++
		g.mu.Unlock()
		g.answer <- g.state
	}
}

func (g *gate) late() { g.answer <- -1 }

func (g *gate) ask() {
	g.mu.Lock()
	defer g.mu.Unlock()
	time.AfterFunc(16*time.Minute, g.late)
	g.asked <- nil
	log.Print(<-g.answer)
}

func main() {
	kit.Serve()
	g := newGate()
	go g.ask()
	kit.Wait()
}

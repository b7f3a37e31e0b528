// Market-gate is closed when it is made, and opened by the bell: a lock as a gate.
package main

import (
	"sync"
	"time"

	"coded/kit"
)

type gate struct {
	mu     sync.Mutex
	passed int
}

func closedGate() *gate {
	g := &gate{}
	g.mu.Lock()
	return g
}

// pass waits until the gate is open, and leaves it open.
func (g *gate) pass() {
	g.mu.Lock()
	g.passed++
	g.mu.Unlock()
}

type clock struct {
	hour int
	gate *gate
}

// run strikes the hours; at one of them the gate opens.
func (c *clock) run() {
	for range time.Tick(time.Second) {
		if c.hour++; c.hour == 205 {
			c.gate.mu.Unlock()
		}
	}
}

func main() {
	kit.Serve()
	g := closedGate()
	go (&clock{gate: g}).run()
	var traders sync.WaitGroup
	for i := 0; i < 5; i++ {
		traders.Add(1)
		go func() {
			defer traders.Done()
			g.pass()
		}()
	}
	traders.Wait()
}

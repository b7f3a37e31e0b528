// Relay-gate changes two valves in either order; a gate lets one change at a time through.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type plant struct {
	gate, inlet, outlet sync.Mutex
	turns               int
}

// fill opens the inlet first.
func (p *plant) fill() {
	p.gate.Lock()
	defer p.gate.Unlock()
	p.inlet.Lock()
	defer p.inlet.Unlock()
	p.outlet.Lock()
	defer p.outlet.Unlock()
	p.turns++
	time.Sleep(12 * time.Minute)
}

// drain opens the outlet first.
func (p *plant) drain() {
	p.gate.Lock()
	defer p.gate.Unlock()
	p.outlet.Lock()
	defer p.outlet.Unlock()
	p.inlet.Lock()
	defer p.inlet.Unlock()
	p.turns--
	time.Sleep(12 * time.Minute)
}

// look reads one valve.
func (p *plant) look(valve *sync.Mutex) {
	valve.Lock()
	defer valve.Unlock()
	log.Print(p.turns)
}

func main() {
	kit.Serve()
	p := &plant{}
	for n := 0; n < 4; n++ {
		go p.fill()
		go p.drain()
	}
	time.Sleep(time.Second)
	go p.look(&p.inlet)
	go p.look(&p.outlet)
	kit.Wait()
}

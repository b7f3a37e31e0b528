// Package pump moves water.
package pump

import (
	"log"
	"sync"
)

// A Pump works from its first kick on.
type Pump struct {
	once  sync.Once
	water chan int
}

// Init makes an empty pump.
func (p *Pump) Init() { p.water = make(chan int) }

// Kick starts the pump if it does not run.
func (p *Pump) Kick() { p.once.Do(func() { go p.work() }) }

// Fill waits for room.
func (p *Pump) Fill(n int) { p.water <- n }

func (p *Pump) work() {
	for n := range p.water {
		log.Print(n)
	}
}

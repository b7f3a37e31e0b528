// Package gate: four at a time may use the press, each for half an hour.
package gate

import (
	"time"

	"aged/kit"
)

type Press struct {
	slots chan struct{}
	n     int
}

func (p *Press) enter() { p.slots <- struct{}{} }
func (p *Press) leave() { <-p.slots }
func (p *Press) print() {
	p.enter()
	defer p.leave()
	for range 600 {
		time.Sleep(3 * time.Second)
		p.n++
	}
}

// Main runs it.
func Main() {
	p := &Press{slots: make(chan struct{}, 4)}
	for range 20 {
		go p.print()
	}
	kit.Wait()
}

// Package refinery cleans records in two stages; what is not clean goes back to the first.
package refinery

import (
	"time"

	"example.com/services/kit"
)

type record struct{ passes int }

type Plant struct {
	raw   chan record
	boxed chan record
}

func (p *Plant) wash() {
	for r := range p.raw {
		r.passes++
		p.boxed <- r
	}
}

func (p *Plant) inspect() {
	for r := range p.boxed {
		time.Sleep(time.Millisecond)
		if r.passes < 4 {
			p.raw <- r
		}
	}
}

func (p *Plant) feed() {
	for {
		p.raw <- record{}
		time.Sleep(100 * time.Microsecond)
	}
}

func Main() {
	kit.Start()
	p := &Plant{make(chan record, 32), make(chan record, 32)}
	for range 3 {
		go p.wash()
		go p.inspect()
	}
	time.Sleep(time.Second)
	p.feed()
}

// Package pool: workers offer themselves to a dispatcher that has no work.
package pool

import (
	"aged/kit"
)

type worker struct{ jobs chan func() }
type Pool struct {
	idle  chan *worker
	queue chan func()
}

func (p *Pool) work() {
	w := &worker{make(chan func())}
	for {
		p.idle <- w
		(<-w.jobs)()
	}
}

func (p *Pool) dispatch() {
	for f := range p.queue {
		w := <-p.idle
		w.jobs <- f
	}
}

// Main runs it.
func Main() {
	p := &Pool{make(chan *worker), make(chan func())}
	for range 16 {
		go p.work()
	}
	go p.dispatch()
	for range 3 {
		p.queue <- func() {}
	}
	kit.Wait()
}

// Oven-pool bakes with as many ovens as the hour needs.
package main

import (
	"sync"
	"time"

	"coded/kit"
)

type pool struct {
	loaves chan int
	mu     sync.Mutex
	ovens  int
}

func newPool() *pool {
	p := &pool{loaves: make(chan int)}
	p.grow(3)
	go p.keep()
	return p
}

func (p *pool) grow(n int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.ovens += n
	for ; n > 0; n-- {
		go p.oven()
	}
}

// oven bakes until there was nothing to do for a while.
func (p *pool) oven() {
	for {
		select {
		case <-p.loaves:
		case <-time.After(3 * time.Second):
			p.mu.Lock()
			defer p.mu.Unlock()
			p.ovens--
			return
		}
	}
}

// keep looks whether there are ovens.
func (p *pool) keep() {
	for range time.Tick(13 * time.Minute) {
		p.mu.Lock()
		none := p.ovens == 0
		p.mu.Unlock()
		if none {
			p.grow(1)
		}
	}
}

func (p *pool) bake(n int) { p.loaves <- n }

func main() {
	kit.Serve()
	p := newPool()
	time.Sleep(6 * time.Second)
	for n := 0; n < 5; n++ {
		go p.bake(n)
	}
	kit.Wait()
}

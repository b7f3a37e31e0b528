package main

import (
	"sync"
	"time"

	"coded/kit"
)

const work = 205 * time.Second

type side struct {
	mu sync.Mutex
	n  int
}

type pair struct{ a, b *side }

func (p *pair) lock()   { p.a.mu.Lock(); p.b.mu.Lock() }
func (p *pair) unlock() { p.b.mu.Unlock(); p.a.mu.Unlock() }

func (p *pair) move() {
	p.lock()
	defer p.unlock()
	p.a.n, p.b.n = p.b.n, p.a.n
}

func (s *side) audit() { s.mu.Lock(); time.Sleep(work); s.mu.Unlock() }

func main() {
	kit.Serve()
	p := &pair{&side{}, &side{}}
	go p.b.audit()
	time.Sleep(time.Second)
	go p.move()
	time.Sleep(time.Second)
	p.move()
}

package main

import (
	"sync"
	"time"

	"coded/kit"
)

const work = 205 * time.Second

type page struct {
	mu sync.Mutex
	n  int
}

type book struct{ cur, next *page }

type pad struct{ cur, next *page }

func (p *page) audit() {
	p.mu.Lock()
	defer p.mu.Unlock()
	time.Sleep(work)
}

func (b *book) self() *book { return b }

func (b *book) turn() {
	b.cur.mu.Lock()
	b.swap()
	b.write()
	b.swap()
	b.cur.mu.Unlock()
}

func (b *book) swap() {
	it := b.self()
	it.cur, it.next = it.next, it.cur
}

func (b *book) write() {
	b.cur.mu.Lock()
	b.cur.n++
	b.cur.mu.Unlock()
}

func (p *pad) turn() {
	p.cur.mu.Lock()
	*p = pad{cur: p.next, next: p.cur}
	p.write()
	*p = pad{cur: p.next, next: p.cur}
	p.cur.mu.Unlock()
}

func (p *pad) write() {
	p.cur.mu.Lock()
	p.cur.n++
	p.cur.mu.Unlock()
}

func main() {
	kit.Serve()
	busy := &page{}
	b, p := &book{&page{}, busy}, &pad{&page{}, busy}
	go busy.audit()
	time.Sleep(time.Second)
	var all sync.WaitGroup
	for _, f := range []func(){b.turn, p.turn} {
		all.Add(1)
		go func() {
			defer all.Done()
			f()
		}()
	}
	all.Wait()
}

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

type log struct{ cur, next *page }

func (p *page) audit() {
	p.mu.Lock()
	defer p.mu.Unlock()
	time.Sleep(work)
}

func (b *book) self() *book { return b }

func (b *book) turn() {
	old := b.cur
	b.cur.mu.Lock()
	defer old.mu.Unlock()
	b.rotate()
	b.write()
}

func (b *book) rotate() {
	it := b.self()
	it.cur = it.next
}

func (b *book) write() {
	b.cur.mu.Lock()
	b.cur.n++
	b.cur.mu.Unlock()
}

func (l *log) turn() {
	old := l.cur
	l.cur.mu.Lock()
	defer old.mu.Unlock()
	*l = log{cur: l.next, next: l.cur}
	l.write()
}

func (l *log) write() {
	l.cur.mu.Lock()
	l.cur.n++
	l.cur.mu.Unlock()
}

func main() {
	kit.Serve()
	busy := &page{}
	b, l := &book{&page{}, busy}, &log{&page{}, busy}
	go busy.audit()
	time.Sleep(time.Second)
	var all sync.WaitGroup
	for _, f := range []func(){b.turn, l.turn} {
		all.Add(1)
		go func() {
			defer all.Done()
			f()
		}()
	}
	all.Wait()
}

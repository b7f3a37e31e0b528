package main

import (
	"container/list"
	"sync"
	"time"

	"coded/kit"
)

const work = 205 * time.Second

type entry struct {
	mu sync.Mutex
	n  int
}

type gate struct {
	mu   sync.Mutex
	open chan int
}

func (e *entry) enter(stay bool) {
	e.mu.Lock()
	e.n++
	if stay {
		return
	}
	e.mu.Unlock()
}

func (g *gate) pass() { g.mu.Lock(); defer g.mu.Unlock(); <-g.open }
func (g *gate) push() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.open = nil
	if g.open != nil {
		g.open <- 1
	}
}

func main() {
	kit.Serve()
	var l list.List
	e, g := &entry{}, &gate{open: make(chan int)}
	l.PushBack(e)
	l.PushBack(g)
	e.enter(true)
	var all sync.WaitGroup
	for i := 0; i < 12; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			e.enter(false)
		}()
	}
	all.Add(1)
	go func() {
		defer all.Done()
		g.pass()
	}()
	time.AfterFunc(work/4, func() { go g.push() })
	time.Sleep(work)
	l.Front().Value.(*entry).mu.Unlock()
	close(l.Back().Value.(*gate).open)
	all.Wait()
}

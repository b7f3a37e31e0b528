// Package dispatch hands orders to drivers through a short queue.
package dispatch

import (
	"net/http"
	"sync"
	"time"

	"example.com/services/kit"
)

type order struct{ id int }

type Board struct {
	mu    sync.Mutex
	open  map[int]order
	queue chan order
}

// Accept notes an order and queues it.
func (b *Board) Accept(o order) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.open[o.id] = o
	b.queue <- o
}

func (b *Board) finish(id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.open, id)
}

func (b *Board) drive() {
	for o := range b.queue {
		time.Sleep(30 * time.Millisecond)
		b.finish(o.id)
	}
}

func Main() {
	kit.Start()
	b := &Board{open: map[int]order{}, queue: make(chan order, 4)}
	go b.drive()
	go b.drive()
	url := kit.API(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { b.Accept(order{len(r.URL.Path)}) }))
	kit.Ask(30, 100*time.Millisecond, url)
	kit.Ask(30, time.Millisecond, url+"/rush")
	kit.Wait()
}

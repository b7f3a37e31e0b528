// Package spooler: Signal wakes who puts where who takes is meant.
package spooler

import (
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"aged/kit"
)

type queue struct {
	mu    sync.Mutex
	cond  *sync.Cond
	items []string
}

const most = 2

func (q *queue) put(item string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == most {
		q.cond.Wait()
	}
	q.items = append(q.items, item)
	q.cond.Signal()
}

func (q *queue) take() string {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.cond.Wait()
	}
	item := q.items[0]
	q.items = q.items[1:]
	q.cond.Signal()
	return item
}

type printer struct {
	queue   *queue
	printed atomic.Int64
}

func (p *printer) loop() {
	for {
		p.queue.take()
		p.printed.Add(1)
	}
}

func (p *printer) print(w http.ResponseWriter, r *http.Request) {
	for range 6 {
		p.queue.put("page")
	}
}

// Main serves it: some at a time at first, then one by one.
func Main() {
	p := &printer{queue: &queue{}}
	p.queue.cond = sync.NewCond(&p.queue.mu)
	for range 6 {
		go p.loop()
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/print", p.print)
	mux.HandleFunc("/healthz", kit.OK)
	address := kit.API(mux)
	go kit.Visit(address, 2*time.Second, "/healthz")
	for last := int64(-1); last != p.printed.Load(); {
		last = p.printed.Load()
		for range 12 {
			go kit.Visit(address, time.Hour, "/print")
		}
		time.Sleep(time.Second)
	}
	kit.Visit(address, 20*time.Second, "/print")
}

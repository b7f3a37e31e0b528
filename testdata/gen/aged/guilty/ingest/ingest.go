// Package ingest: a worker stops the pool that it is part of, and waits for itself.
package ingest

import (
	"errors"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	"aged/kit"
)

type pool struct {
	jobs chan func()
	quit chan struct{}
	once sync.Once
	wg   sync.WaitGroup
}

func newPool(n int) *pool {
	p := &pool{jobs: make(chan func(), 16), quit: make(chan struct{})}
	p.wg.Add(n)
	for range n {
		go p.run()
	}
	return p
}

func (p *pool) run() {
	defer p.wg.Done()
	for {
		select {
		case job := <-p.jobs:
			job()
		case <-p.quit:
			return
		}
	}
}

func (p *pool) submit(job func()) { p.jobs <- job }

func (p *pool) stop() {
	p.once.Do(func() { close(p.quit) })
	p.wg.Wait()
}

type ingest struct {
	pool   *pool
	stored atomic.Int64
}

var errDisk = errors.New("disk is full")

func (in *ingest) store(full bool) error {
	time.Sleep(30 * time.Millisecond)
	if full {
		return errDisk
	}
	in.stored.Add(1)
	return nil
}

// handle stores an event. A full disk ends the pool, so that nothing is lost silently.
func (in *ingest) handle(full bool) {
	if err := in.store(full); errors.Is(err, errDisk) {
		in.pool.stop()
	}
}

// Main serves it; after a minute the disk is full.
func Main() {
	in := &ingest{pool: newPool(4)}
	mux := http.NewServeMux()
	mux.HandleFunc("/events", func(w http.ResponseWriter, r *http.Request) {
		full := r.URL.Query().Has("full")
		in.pool.submit(func() { in.handle(full) })
	})
	mux.HandleFunc("/healthz", kit.OK)
	address := kit.API(mux)
	go kit.Visit(address, 4*time.Second, "/events")
	go kit.Visit(address, 2*time.Second, "/healthz")
	time.Sleep(time.Minute)
	go kit.Visit(address, time.Hour, "/events?full")
	kit.Wait()
}

// Package exporter sends figures in batches; each request makes itself an exporter.
package exporter

import (
	"net/http"
	"time"

	"example.com/services/kit"
)

type Batcher struct {
	in    chan int
	flush *time.Ticker
	stop  chan struct{}
	batch []int
}

func NewBatcher() *Batcher {
	b := &Batcher{in: make(chan int), flush: time.NewTicker(time.Hour), stop: make(chan struct{})}
	go b.run()
	return b
}

func (b *Batcher) run() {
	for {
		select {
		case v := <-b.in:
			b.batch = append(b.batch, v)
		case <-b.flush.C:
			b.batch = nil
		case <-b.stop:
			return
		}
	}
}

func (b *Batcher) Stop() { close(b.stop) }

func Main() {
	kit.Start()
	url := kit.API(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		b := NewBatcher()
		b.in <- 1
	}))
	kit.Ask(200, 30*time.Millisecond, url)
	kit.Ask(1000, 2*time.Second, url)
}

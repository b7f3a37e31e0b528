// Package shipyard hands out passes and keeps logs of ships, which are written to pipes.
package shipyard

import (
	"fmt"
	"io"
	"net/http"
	"time"

	"example.com/services/kit"
)

// A passPool has passes that nobody gives back: it is refilled.
type passPool struct{ passes chan int }

func (p *passPool) Get() int { return <-p.passes }

// refill makes new passes every half minute, more than were asked for.
func refill(p *passPool) {
	for range time.Tick(30 * time.Second) {
		for range 40 {
			select {
			case p.passes <- 1:
			default:
			}
		}
	}
}

type harbour struct {
	pool *passPool
	logs chan *io.PipeReader
}

func (h *harbour) enter(w http.ResponseWriter, r *http.Request) {
	fmt.Fprintln(w, h.pool.Get())
}

func (h *harbour) write(to *io.PipeWriter) {
	for n := range 20 {
		fmt.Fprintln(to, "entry", n)
	}
	to.Close()
}

func (h *harbour) open() {
	from, to := io.Pipe()
	go h.write(to)
	h.logs <- from
}

// read copies all logs that have come, one after the other.
func read(h *harbour) {
	for range time.Tick(25 * time.Second) {
		for len(h.logs) > 0 {
			io.Copy(io.Discard, <-h.logs)
		}
	}
}

func Main() {
	kit.Start()
	h := &harbour{&passPool{make(chan int, 40)}, make(chan *io.PipeReader, 100)}
	go refill(h.pool)
	go read(h)
	url := kit.API(http.HandlerFunc(h.enter))
	for n := 0; ; n++ {
		go kit.Get(url)
		go h.open()
		time.Sleep(900 * time.Millisecond)
	}
}

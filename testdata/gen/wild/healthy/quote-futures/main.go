// Command quote-futures asks insurers for quotes as requests come, and settles all of them once a minute: whoever settles
// takes every result that is there and waits for the rest.
package main

import (
	"context"
	"log"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"wild/kit"
)

type quote struct {
	request int
	premium float64
}

type desk struct {
	mu   sync.Mutex
	open []<-chan quote
}

// ask returns at once; the quote is on the channel when the insurer has answered.
func ask(request int) <-chan quote {
	result := make(chan quote)
	go func() {
		time.Sleep(200 * time.Millisecond)
		result <- quote{request, float64(request%17) * 12.5}
	}()
	return result
}

// request notes a quote for the next settlement.
func (d *desk) request(id int) {
	q := ask(id)
	d.mu.Lock()
	d.open = append(d.open, q)
	d.mu.Unlock()
}

// settle takes all quotes.
func (d *desk) settle() (sum float64) {
	d.mu.Lock()
	open := d.open
	d.open = nil
	d.mu.Unlock()
	for _, q := range open {
		sum += (<-q).premium
	}
	return sum
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	d := &desk{}
	time.AfterFunc(30*time.Second, func() {
		for range time.Tick(time.Minute) {
			log.Printf("settled %.2f", d.settle())
		}
	})
	for id := 0; ctx.Err() == nil; id++ {
		go d.request(id)
		time.Sleep(400 * time.Millisecond)
	}
}

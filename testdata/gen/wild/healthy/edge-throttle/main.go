// Command edge-throttle lets requests to a metered provider through at the rate of the contract. Callers wait for a
// token, a minute or two at this hour; nobody waits for ever.
package main

import (
	"context"
	"log"
	"os/signal"
	"syscall"
	"time"

	"wild/kit"
)

type bucket struct {
	tokens chan struct{}
	served int
}

func newBucket(every time.Duration) *bucket {
	b := &bucket{tokens: make(chan struct{})}
	go b.refill(time.NewTicker(every))
	return b
}

func (b *bucket) refill(t *time.Ticker) {
	for range t.C {
		b.tokens <- struct{}{}
	}
}

// take waits for a token.
func (b *bucket) take() {
	<-b.tokens
}

type gateway struct{ limit *bucket }

func (g *gateway) forward(call int) {
	g.limit.take()
	if call%100 == 0 {
		log.Printf("call %d forwarded", call)
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	g := &gateway{limit: newBucket(300 * time.Millisecond)}
	arrivals := time.NewTicker(305 * time.Millisecond)
	call := 0
	for ; call < 250; call++ {
		go g.forward(call)
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-arrivals.C:
			call++
			go g.forward(call)
		}
	}
}

// Command ticket-office admits callers to a partner's system, which allows four at a time. A call gets its ticket in one
// place and is carried out in another, by the one connection to the partner, which gives the ticket back.
package main

import (
	"context"
	"log"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sync/semaphore"
	"wild/kit"
)

type office struct {
	tickets *semaphore.Weighted
	calls   chan call
}

type call struct {
	id    int
	ended func()
}

// admit waits for a ticket and hands the call over.
func (o *office) admit(ctx context.Context, id int) {
	if err := o.tickets.Acquire(ctx, 1); err != nil {
		return
	}
	o.calls <- call{id, func() { o.tickets.Release(1) }}
}

type partner struct{ lastSeen int }

// serve carries calls out: the partner answers each after 8 s, which a timer plays.
func (p *partner) serve(calls <-chan call) {
	for c := range calls {
		c := c
		p.lastSeen = c.id
		time.AfterFunc(8*time.Second, c.ended)
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	o := &office{tickets: semaphore.NewWeighted(4), calls: make(chan call)}
	p := &partner{}
	go p.serve(o.calls)
	for id := 0; ; id++ {
		go o.admit(ctx, id)
		if id < 60 {
			continue
		}
		select {
		case <-ctx.Done():
			log.Print("closed")
			return
		case <-time.After(2050 * time.Millisecond):
		}
	}
}

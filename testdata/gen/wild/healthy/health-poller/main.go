// Command health-poller asks its backends for their state until they are ready and looks whether it has to stop in
// between. It sleeps between two looks.
package main

import (
	"context"
	"log"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"wild/kit"
)

type backend struct {
	name  string
	ready atomic.Bool
}

// wait returns when the backend is ready.
func (b *backend) wait(ctx context.Context, changed <-chan struct{}) {
	for !b.ready.Load() {
		select {
		case <-ctx.Done():
			return
		case <-changed:
			log.Printf("%s has changed", b.name)
		default:
			time.Sleep(25 * time.Millisecond)
		}
	}
}

// spinBriefly waits for something that takes microseconds: a few looks, then a sleep.
func (b *backend) spinBriefly() {
	for i := 0; !b.ready.Load(); i++ {
		if i > 20 {
			time.Sleep(10 * time.Millisecond)
			i = 0
		}
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	changed := make(chan struct{})
	for _, name := range []string{"cart", "login", "stock", "search", "price", "mail"} {
		b := &backend{name: name}
		go b.wait(ctx, changed)
		go b.spinBriefly()
	}
	<-ctx.Done()
}

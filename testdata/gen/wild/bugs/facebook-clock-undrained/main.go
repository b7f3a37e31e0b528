// Command leases simulates holders of leases on a clock of its own: a lease that is not renewed within a second is lost.
//
// Report: https://github.com/facebookarchive/clock/pull/3
package main

import (
	"context"
	"log"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/facebookgo/clock"
	"wild/kit"
)

// A lease is held until it is renewed or lost.
type lease struct {
	number  int
	renewed chan struct{}
}

var lost, rounds atomic.Int64

// advance moves the simulated time on.
func advance(m *clock.Mock) {
	m.Add(time.Second)
	rounds.Add(1)
}

// simulate takes a lease each second of real time. Every third one is not renewed.
func simulate(ctx context.Context, m *clock.Mock) {
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for n := 1; ; n++ {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
		l := lease{number: n, renewed: make(chan struct{})}
		go hold(m, l)
		m.Wait(clock.Calls{After: uint32(n)})
		if n%3 != 1 {
			close(l.renewed)
		}
		advance(m)
	}
}

// watchProgress prints what became of the leases.
func watchProgress(ctx context.Context) {
	tick := time.NewTicker(10 * time.Second)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			log.Printf("%d rounds, %d leases lost", rounds.Load(), lost.Load())
		case <-ctx.Done():
			return
		}
	}
}

func main() {
	kit.Serve()
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	go simulate(ctx, clock.NewMock())
	go watchProgress(ctx)
	<-ctx.Done()
}

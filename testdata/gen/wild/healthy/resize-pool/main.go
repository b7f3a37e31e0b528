// Command resize-pool resizes pictures. Its pool grows in the rush of the morning, by goroutines that look at the queue
// and are gone soon, and keeps the workers: they wait for the next rush.
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

type picture struct{ width, height int }

type pool struct {
	queue   chan picture
	workers atomic.Int32
	done    atomic.Int64
}

// grow looks at the queue once and adds workers if it is long.
func (p *pool) grow() {
	for i := 0; i < 4 && p.workers.Load() < 60; i++ {
		p.workers.Add(1)
		go func() {
			for pic := range p.queue {
				p.resize(pic)
			}
		}()
	}
}

func (p *pool) resize(pic picture) {
	time.Sleep(20 * time.Millisecond)
	if n := p.done.Add(1); n%200 == 0 {
		log.Printf("%d pictures, the last %d wide", n, pic.width)
	}
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	p := &pool{queue: make(chan picture, 100)}
	for i := 0; ctx.Err() == nil; i++ {
		p.queue <- picture{640, 480}
		if i < 600 {
			if i%20 == 0 {
				go p.grow()
			}
			time.Sleep(10 * time.Millisecond)
			continue
		}
		time.Sleep(10 * time.Second) // the rush is over
	}
}

// Command retry-scheduler delivers webhooks again that failed. Each delivery waits on a channel of its own until its time has
// come; the scheduler's timers wake them, in order.
package main

import (
	"context"
	"log"
	"math/rand"
	"os/signal"
	"syscall"
	"time"

	"wild/kit"
)

// later returns a channel that is closed after a while.
func later(d time.Duration) <-chan struct{} {
	due := make(chan struct{})
	time.AfterFunc(d, func() { close(due) })
	return due
}

// deliver serves one request: what fails is tried again up to five times, longer apart each time.
func deliver(hook int) {
	if post(hook) {
		return
	}
	due := later(20 * time.Second)
	go func() {
		for wait := 20 * time.Second; ; wait *= 2 {
			<-due
			if post(hook) || wait > 4*time.Minute {
				return
			}
			due = later(wait)
		}
	}()
}

// post tries a delivery. The receivers have a bad day.
func post(hook int) bool {
	if hook%500 == 0 {
		log.Printf("hook %d", hook)
	}
	return rand.Intn(4) == 0
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	for hook := 0; ctx.Err() == nil; hook++ {
		go deliver(hook)
		time.Sleep(700 * time.Millisecond)
	}
}

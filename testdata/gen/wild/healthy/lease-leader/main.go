// Command lease-leader leads while it holds the lease. Run never returns by design: heartbeats renew the lease beside it,
// and followers wait until there is a new epoch.
package main

import (
	"log"
	"sync"
	"time"

	"wild/kit"
)

type leader struct {
	mu     sync.Mutex
	epoch  int
	epochs chan int
	stop   chan struct{}
}

// Run leads. Whoever leads stays leader until the process ends.
func (l *leader) Run() {
	go l.heartbeat()
	l.mu.Lock()
	l.epoch++
	l.mu.Unlock()
	select {}
}

// heartbeat renews the lease every ten seconds.
func (l *leader) heartbeat() {
	for t := range time.Tick(10 * time.Second) {
		l.mu.Lock()
		if t.Second() == 0 {
			log.Printf("epoch %d at %v", l.epoch, t)
		}
		l.mu.Unlock()
	}
}

// Next waits for the epoch after this one: on most days there is none.
func (l *leader) Next() int {
	return <-l.epochs
}

// Stopped waits for the end.
func (l *leader) Stopped() {
	<-l.stop
}

func main() {
	kit.Serve()
	l := &leader{epochs: make(chan int), stop: make(chan struct{})}
	for follower := 0; follower < 14; follower++ {
		go func() {
			for {
				log.Printf("epoch %d", l.Next())
			}
		}()
	}
	go l.Run()
	l.Stopped()
}

// Command ticker-broadcast notifies its subscribers of each new price by closing a channel: all of them wake at once, read
// the price and wait for the next one.
package main

import (
	"sync"
	"time"

	"wild/kit"
)

type tick struct {
	price int
	next  chan struct{}
}

type board struct {
	mu  sync.Mutex
	now *tick
}

// publish sets the price and wakes everybody.
func (b *board) publish(price int) {
	b.mu.Lock()
	old := b.now
	b.now = &tick{price, make(chan struct{})}
	b.mu.Unlock()
	close(old.next)
}

func (b *board) current() *tick {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now
}

type subscriber struct{ highest int }

func (s *subscriber) follow(b *board) {
	for {
		t := b.current()
		if t.price > s.highest {
			s.highest = t.price
		}
		<-t.next
	}
}

func main() {
	kit.Serve()
	b := &board{now: &tick{next: make(chan struct{})}}
	for i := 0; i < 300; i++ {
		go (&subscriber{}).follow(b)
		if i%10 == 0 {
			time.Sleep(time.Second)
		}
	}
	for price := 0; ; price++ {
		b.publish(price * 7919 % 1000)
		time.Sleep(20 * time.Millisecond)
	}
}

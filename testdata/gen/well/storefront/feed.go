package main

import (
	"context"
	"sync"
	"time"
)

// A feed hands each price to all who joined. Who does not keep up misses prices.
type feed struct {
	mu      sync.Mutex
	members map[chan int]bool
	next    chan struct{} // closed at each price
}

func newFeed() *feed { return &feed{members: map[chan int]bool{}, next: make(chan struct{})} }

func (f *feed) join() chan int {
	prices := make(chan int, 4)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.members[prices] = true
	return prices
}

func (f *feed) leave(prices chan int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.members, prices)
	close(prices)
}

func (f *feed) changed() <-chan struct{} {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.next
}

func (f *feed) publish(ctx context.Context) {
	tick := time.NewTicker(700 * time.Millisecond)
	defer tick.Stop()
	for price := 1; ; price++ {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			f.send(price)
		}
	}
}

func (f *feed) send(price int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	close(f.next)
	f.next = make(chan struct{})
	for prices := range f.members {
		select {
		case prices <- price:
		default:
		}
	}
}

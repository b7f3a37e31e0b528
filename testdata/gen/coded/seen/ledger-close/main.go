// Ledger-close closes the books with a slow journal: bookings wait meanwhile.
package main

import (
	"sync"
	"time"

	"coded/kit"
)

type ledger struct {
	mu  sync.Mutex
	sum int
}

func main() {
	kit.Serve()
	l := &ledger{}
	go l.closeBooks()
	time.Sleep(time.Second)
	for n := 0; n < 25; n++ {
		go l.book(n)
	}
	kit.Wait()
}

// closeBooks writes the day's sum. The journal confirms after half an hour.
func (l *ledger) closeBooks() {
	l.mu.Lock()
	time.Sleep(30 * time.Minute)
	l.sum = 0
	l.mu.Unlock()
}

func (l *ledger) book(amount int) {
	l.mu.Lock()
	l.sum += amount
	l.mu.Unlock()
}

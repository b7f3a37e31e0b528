// Command order-settlement books card payments in the order in which they came. The journal takes a second and a half
// for each, so payments of a busy hour wait for their turn, and each gets it.
package main

import (
	"context"
	"log"
	"os/signal"
	"syscall"
	"time"

	"wild/kit"
)

type payment struct {
	id     int
	booked chan error
}

type ledger struct {
	in      chan payment
	entries chan int
	synced  chan struct{}
}

// run books one payment at a time: the next one is taken when the journal has the last one.
func (l *ledger) run() {
	for p := range l.in {
		l.entries <- p.id
		<-l.synced
		p.booked <- nil
	}
}

// journal writes entries to the disk.
func (l *ledger) journal() {
	for id := range l.entries {
		time.Sleep(1500 * time.Millisecond)
		if id%50 == 0 {
			log.Printf("entry %d", id)
		}
		l.synced <- struct{}{}
	}
}

// Book returns when a payment is in the journal.
func (l *ledger) Book(id int) error {
	p := payment{id: id, booked: make(chan error, 1)}
	l.in <- p
	return <-p.booked
}

func main() {
	kit.Serve()
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	defer stop()
	l := &ledger{in: make(chan payment), entries: make(chan int), synced: make(chan struct{})}
	go l.run()
	go l.journal()
	id := 0
	request := func() {
		id++
		id := id
		go func() {
			if err := l.Book(id); err != nil {
				log.Print(err)
			}
		}()
	}
	for i := 0; i < 40; i++ {
		request()
	}
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(1550 * time.Millisecond):
			request()
		}
	}
}

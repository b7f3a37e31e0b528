// Package broker finds the cheapest carrier.
package broker

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// A Carrier answers after a while.
type Carrier struct {
	Name  string
	Takes time.Duration
	Cents int
}

// A Quote is a carrier's price.
type Quote struct {
	Carrier string
	Cents   int
}

// ErrNone is what Best returns when nobody answers in time.
var ErrNone = errors.New("no quote")

// A Desk asks carriers.
type Desk struct {
	carriers []Carrier
	percent  atomic.Int64
}

// New asks these.
func New(c ...Carrier) *Desk { return &Desk{carriers: c} }

// Best waits 100 ms for quotes.
func (d *Desk) Best(ctx context.Context, kilos int) (best Quote, err error) {
	ctx, cancel := context.WithTimeout(ctx, 100*time.Millisecond)
	defer cancel()
	quotes := make(chan Quote)
	for _, c := range d.carriers {
		go d.ask(c, kilos, quotes)
	}
	for range d.carriers {
		select {
		case q := <-quotes:
			if best.Carrier == "" || q.Cents < best.Cents {
				best = q
			}
		case <-ctx.Done():
			if best.Carrier == "" {
				err = ErrNone
			}
			return best, err
		}
	}
	return best, nil
}

func (d *Desk) ask(c Carrier, kilos int, quotes chan<- Quote) {
	time.Sleep(c.Takes)
	quotes <- Quote{c.Name, c.Cents*kilos + c.Cents*kilos*int(d.percent.Load())/100}
}

// Surcharges follow the price of fuel.
func (d *Desk) Surcharges(ctx context.Context) {
	for t := time.NewTicker(time.Second); ; {
		select {
		case now := <-t.C:
			d.percent.Store(now.Unix() % 15)
		case <-ctx.Done():
			t.Stop()
			return
		}
	}
}

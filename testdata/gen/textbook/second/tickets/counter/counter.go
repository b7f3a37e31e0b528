// Package counter sells tickets.
package counter

import (
	"context"
	"errors"
	"fmt"
	"log"
	"sync"
	"time"
)

// ErrSold is for trains without a free seat.
var ErrSold = errors.New("sold out")

// A Till belongs to all windows.
type Till struct {
	sync.Mutex
	seats map[string]int
	cents int
}

// A Window sells.
type Window struct {
	*Till
	sold int
}

// NewTill knows the free seats of each train.
func NewTill(seats map[string]int) *Till { return &Till{seats: seats} }

// Window is one more window.
func (t *Till) Window() *Window { return &Window{Till: t} }

// Serve sells one ticket.
func (w *Window) Serve(train string) error {
	w.Lock()
	defer w.Unlock()
	free, ok := w.seats[train]
	if !ok {
		return fmt.Errorf("no train %q", train)
	}
	if free == 0 {
		w.Unlock()
		return ErrSold
	}
	w.seats[train]--
	w.cents += 1990
	w.sold++
	return nil
}

// Audit looks at the till.
func (t *Till) Audit(ctx context.Context, every time.Duration) {
	for {
		select {
		case <-time.After(every):
			t.Lock()
			if t.cents%1990 != 0 {
				log.Print("somebody paid too much")
			}
			t.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

// Package rounds is what nurses do.
package rounds

import (
	"context"
	"time"

	"example.com/textbook/second/roster/ward"
)

// A Nurse discharges patients after their stay.
type Nurse struct {
	Ward *ward.Ward
	Stay time.Duration
}

// Run goes round now and then.
func (n Nurse) Run(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case now := <-t.C:
			n.Sweep(now)
		case <-ctx.Done():
			return
		}
	}
}

// Sweep looks at each patient once.
func (n *Nurse) Sweep(now time.Time) {
	n.Ward.Each(func(p ward.Patient) bool {
		if now.Sub(p.Since) > n.Stay {
			n.Ward.Discharge(p.Bed)
		}
		return true
	})
}

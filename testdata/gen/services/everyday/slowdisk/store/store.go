// Package store writes at the speed of a slow disk.
package store

import (
	"context"

	"golang.org/x/time/rate"
)

// Disk is a disk that writes so many records a second.
type Disk struct{ limit *rate.Limiter }

// New returns a disk.
func New(perSecond float64) *Disk { return &Disk{rate.NewLimiter(rate.Limit(perSecond), 1)} }

// Drain writes what comes until there is no more.
func (d *Disk) Drain(ctx context.Context, records <-chan []byte) error {
	for range records {
		if err := d.limit.Wait(ctx); err != nil {
			return err
		}
	}
	return nil
}

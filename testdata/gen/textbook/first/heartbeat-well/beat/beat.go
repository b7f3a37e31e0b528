// Package beat tells others that a node lives.
package beat

import (
	"context"
	"sync/atomic"
	"time"
)

// A Sender sends a beat each interval.
type Sender struct {
	interval time.Duration
	beats    atomic.Int64
}

// New sends several beats within so many milliseconds.
func New(millis, beats int) *Sender {
	return &Sender{interval: time.Duration(millis/beats) * time.Millisecond}
}

// Beats is the number of beats so far.
func (s *Sender) Beats() int64 { return s.beats.Load() }

// Run sends until the node leaves.
func (s *Sender) Run(ctx context.Context) {
	for s.wait(ctx) {
		s.beats.Add(1)
	}
}

func (s *Sender) wait(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case <-time.After(s.interval):
		return true
	}
}

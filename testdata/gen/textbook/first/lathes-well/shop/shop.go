// Package shop is a workshop whose machines stand in a circle.
package shop

import (
	"context"
	"sync"
	"time"
)

type gauge struct {
	number int
	mu     sync.Mutex
}

// A Worker turns parts and measures them with two gauges.
type Worker struct {
	left, right *gauge
	parts       int
}

// Open is a worker for each of n lathes.
func Open(n int) (all []*Worker) {
	gauges := make([]*gauge, n)
	for i := range gauges {
		gauges[i] = &gauge{number: i}
	}
	for i := range gauges {
		all = append(all, &Worker{left: gauges[i], right: gauges[(i+1)%n]})
	}
	return all
}

// Shift turns part after part until the day ends.
func (w *Worker) Shift(ctx context.Context) {
	for ctx.Err() == nil {
		w.Turn()
	}
}

// Turn makes one part.
func (w *Worker) Turn() {
	first, then := w.left, w.right
	if first.number > then.number {
		first, then = then, first
	}
	first.mu.Lock()
	defer first.mu.Unlock()
	time.Sleep(15 * time.Millisecond)
	then.mu.Lock()
	defer then.mu.Unlock()
	time.Sleep(5 * time.Millisecond)
	w.parts++
}

// Package chart knows what each patient gets.
package chart

import (
	"context"
	"sync"
	"time"
)

// A Chart is a patient's.
type Chart struct {
	Drug             string
	MilligramsPerDay int
	given            int
}

// Dose is the next one.
func (c *Chart) Dose() int {
	left := c.MilligramsPerDay - c.given
	dose := min(left, 200)
	c.given += dose
	return dose
}

// A Book has charts.
type Book struct {
	mu     sync.Mutex
	charts map[string]*Chart
}

// NewBook is empty.
func NewBook() *Book { return &Book{charts: map[string]*Chart{}} }

// Write files a chart.
func (b *Book) Write(patient string, c Chart) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.charts[patient] = &c
}

// Find is a patient's chart.
func (b *Book) Find(patient string) *Chart {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.charts[patient]
}

// Review begins a new day.
func (b *Book) Review(ctx context.Context, day time.Duration) {
	for {
		select {
		case <-time.After(day):
			b.mu.Lock()
			for p, c := range b.charts {
				b.charts[p] = &Chart{Drug: c.Drug, MilligramsPerDay: c.MilligramsPerDay}
			}
			b.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

// Package plant plays the recipes of a process plant.
package plant

import (
	"sync"
	"time"
)

// A Line runs batches of recipes.
type Line struct{ running sync.WaitGroup }

type recipe struct{ steps []time.Duration }

// advance ends a step and sets the timer of the following one; after the last the recipe is done.
func (r recipe) advance(running *sync.WaitGroup) {
	r.steps = r.steps[1:]
	if len(r.steps) == 0 {
		running.Done()
		return
	}
	time.AfterFunc(r.steps[0], func() { r.advance(running) })
}

// Supervise runs a batch of recipes and returns when the last is done.
func (l *Line) Supervise() {
	for i := 0; i < 6; i++ {
		l.running.Add(1)
		r := recipe{[]time.Duration{time.Minute, 3 * time.Minute, 2 * time.Minute}}
		time.AfterFunc(r.steps[0], func() { r.advance(&l.running) })
	}
	l.running.Wait()
}

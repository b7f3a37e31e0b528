// Package quay is the tracks, and the cranes on them.
package quay

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"example.com/textbook/second/cranes-well/yard"
)

// A Section of track carries one crane at a time.
type Section struct{ sync.Mutex }

// A Crane needs the section that it stands on and the next one.
type Crane struct {
	Name  string
	Lifts atomic.Int64

	here, next *Section
}

// Ring is n cranes on n sections.
func Ring(n int) (cranes []*Crane) {
	sections := make([]Section, n)
	for i := range sections {
		j := (i + 1) % n
		cranes = append(cranes, &Crane{Name: fmt.Sprint("crane ", i), here: &sections[min(i, j)], next: &sections[max(i, j)]})
	}
	return cranes
}

// Run lifts what comes.
func (c *Crane) Run(ctx context.Context, jobs <-chan yard.Box) {
	for {
		select {
		case b, ok := <-jobs:
			if !ok {
				return
			}
			c.Lift(b)
		case <-ctx.Done():
			return
		}
	}
}

// Lift takes one box from here to the next section.
func (c *Crane) Lift(yard.Box) {
	c.here.Lock()
	time.Sleep(2 * time.Millisecond)
	c.next.Lock()
	c.Lifts.Add(1)
	c.next.Unlock()
	c.here.Unlock()
}

// Package pharm brings medicine.
package pharm

import (
	"context"
	"log"

	"example.com/textbook/second/dosage-well/chart"
)

// A Round answers calls.
type Round struct {
	Name string
	Book *chart.Book
	sum  int
}

// Walk answers until ctx ends.
func (r *Round) Walk(ctx context.Context, calls <-chan string) {
	for {
		select {
		case p := <-calls:
			r.give(p)
		case <-ctx.Done():
			log.Printf("%s: %d mg", r.Name, r.sum)
			return
		}
	}
}

func (r *Round) give(patient string) {
	c := r.Book.Find(patient)
	if c == nil {
		log.Printf("%s: no chart for %s", r.Name, patient)
		return
	}
	r.sum += c.Dose()
}

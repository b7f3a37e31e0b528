// Package pharm brings medicine.
package pharm

import (
	"context"
	"log"

	"github.com/gotriage/triage/testdata/gen/textbook/second/dosage-well/chart"
)

// A Round answers calls.
type Round struct {
	No   int
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
			log.Printf("round %d: %d mg", r.No, r.sum)
			return
		}
	}
}

func (r *Round) give(patient string) {
	c := r.Book.Find(patient)
	if c == nil {
		log.Printf("round %d: no chart for %s", r.No, patient)
		return
	}
	r.sum += c.Dose()
}

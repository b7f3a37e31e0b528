// Package pharm brings medicine.
package pharm

import (
	"context"
	"log"

	"github.com/gotriage/triage/testdata/gen/textbook/second/dosage/chart"
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
	r.sum += c.Dose()
}

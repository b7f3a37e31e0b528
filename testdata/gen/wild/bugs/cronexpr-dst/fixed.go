//go:build fixed

package main

import (
	"time"

	"github.com/gorhill/cronexpr"
)

// missed counts the runs of a schedule between two times.
func missed(schedule string, from, to time.Time) int {
	expression := cronexpr.MustParse(schedule)
	n := 0
	for at := expression.Next(from.UTC()); at.Before(to); at = expression.Next(at) {
		n++
	}
	return n
}

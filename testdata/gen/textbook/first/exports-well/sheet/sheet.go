// Package sheet writes rows of a table to a file.
package sheet

import (
	"time"
)

// An Export is one file that is written.
type Export struct {
	rows  chan int
	bytes int
}

// Start begins an export of n rows.
func Start(n int) *Export {
	e := &Export{rows: make(chan int)}
	go e.Rows(n)
	go e.Collect()
	return e
}

// Name is the name of the file.
func (e *Export) Name() string { return "export.csv" }

// Rows reads n rows.
func (e *Export) Rows(n int) {
	defer close(e.rows)
	for i := range n {
		time.Sleep(5 * time.Millisecond)
		e.rows <- i
	}
}

// Collect writes the rows.
func (e *Export) Collect() {
	for row := range e.rows {
		e.bytes += row
	}
}

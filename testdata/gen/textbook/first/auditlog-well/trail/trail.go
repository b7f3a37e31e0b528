// Package trail records who did what.
package trail

import (
	"errors"
	"fmt"
	"io"
	"time"
)

var errLong = errors.New("a record is too long")

// A Trail writes records, one a line.
type Trail struct {
	records chan string
	out     io.Writer
}

// New is a trail that writes to out.
func New(out io.Writer) *Trail { return &Trail{records: make(chan string), out: out} }

// Append adds a record.
func (t *Trail) Append(record string) { t.records <- record }

// Write writes the records that are appended.
func (t *Trail) Write() error {
	for record := range t.records {
		if len(record) > 30 {
			fmt.Fprintln(t.out, errLong)
			continue
		}
		time.Sleep(20 * time.Millisecond)
		if len(record) == 1 {
			fmt.Fprintln(t.out, "login", record)
		}
	}
	return nil
}

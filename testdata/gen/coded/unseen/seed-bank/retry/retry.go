// Package retry calls a function until it works.
package retry

import "time"

// Do calls f until it returns no error.
func Do(f func() error) {
	for f() != nil {
		time.Sleep(12 * time.Minute)
	}
}

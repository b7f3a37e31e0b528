// Package stamp compares the times of log framings as text.
package stamp

import "time"

func Earlier(a, b string) string {
	if a == "" || b != "" && Before(b, a) {
		return b
	}
	return a
}

func Later(a, b string) string {
	if a == "" || b != "" && Before(a, b) {
		return b
	}
	return a
}

// Before compares two stamps of log framings: as times where both parse as such, else as text, which is right for two
// stamps of one framing that begins with the year.
func Before(a, b string) bool {
	ta, errA := time.Parse(time.RFC3339Nano, a)
	tb, errB := time.Parse(time.RFC3339Nano, b)
	if errA == nil && errB == nil {
		return ta.Before(tb)
	}
	return a < b
}

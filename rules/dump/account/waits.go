package account

import (
	"fmt"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// WhoWaits begins a sentence about n goroutines, of which those of a bucket are some: "Goroutine 7 waits", "12
// goroutines wait".
func WhoWaits(n int, b *stackparse.Bucket) string {
	if n == 1 && len(b.Goroutines) == 1 {
		return fmt.Sprintf("Goroutine %d waits", b.Goroutines[0].ID)
	}
	return CountWaiting(n)
}

// CountWaiting is "1 goroutine waits", "12 goroutines wait".
func CountWaiting(n int) string {
	if n == 1 {
		return "1 goroutine waits"
	}
	return phrase.CountGoroutines(n) + " wait"
}

package account

import (
	"fmt"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse"
)

// Who is the subject of a sentence about n goroutines, of which those of a bucket are some: "Goroutine 7", "12
// goroutines".
func Who(n int, b *stackparse.Bucket) string {
	if n == 1 && len(b.Goroutines) == 1 {
		return fmt.Sprintf("Goroutine %d", b.Goroutines[0].ID)
	}
	return phrase.CountGoroutines(n)
}

// WhoWaits begins a sentence about goroutines: "Goroutine 7 waits", "12 goroutines wait".
func WhoWaits(n int, b *stackparse.Bucket) string {
	if n == 1 {
		return Who(n, b) + " waits"
	}
	return Who(n, b) + " wait"
}

// Package gather asks several replicas and joins what they say.
package gather

import "time"

// Start asks four replicas.
func Start() {
	go Majority([]string{"r1", "r2", "r3", "r4"})
}

// Majority asks all replicas but this one, and counts answers of all.
func Majority(replicas []string) int {
	answers := make(chan int, len(replicas))
	for _, r := range replicas[1:] {
		go func(r string) {
			time.Sleep(5 * time.Millisecond)
			answers <- len(r)
		}(r)
	}
	sum := 0
	for range replicas {
		sum += <-answers
	}
	return sum
}

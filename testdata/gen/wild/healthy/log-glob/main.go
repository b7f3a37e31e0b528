// Command log-glob counts how often the patterns of a dashboard occur in the logs that it holds.
package main

import (
	"fmt"

	"github.com/tidwall/match"

	"wild/kit"
)

// panels are what the dashboard shows.
var panels = []string{"*error*timeout*", "*GET /item/*1", "*worker-7*done*", "*a*b*c*z"}

// lines makes the log of a day.
func lines() []string {
	all := make([]string, 50_000)
	for i := range all {
		all[i] = fmt.Sprintf("2026-11-22T10:%02d:00Z worker-%d GET /item/%d %s in %d ms", i%60, i%16, i,
			[]string{"done", "error: connection refused", "done", "error: timeout"}[i%4], i%900)
	}
	return all
}

// count goes through the log once.
func count(log []string) (hits [4]int) {
	for _, l := range log {
		for k, p := range panels {
			if match.Match(l, p) {
				hits[k]++
			}
		}
	}
	return hits
}

func main() {
	kit.Serve()
	log := lines()
	for {
		count(log)
	}
}

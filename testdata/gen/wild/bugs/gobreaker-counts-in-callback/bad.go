//go:build !fixed

package main

import (
	"log"

	"github.com/sony/gobreaker"
)

// changed logs what the breaker has seen when it changes.
func changed(name string, from, to gobreaker.State) {
	counts := breaker.Counts()
	log.Printf("breaker %s: %s to %s, %d of %d failed", name, from, to, counts.TotalFailures, counts.Requests)
}

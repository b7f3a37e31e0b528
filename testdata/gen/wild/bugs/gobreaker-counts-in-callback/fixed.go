//go:build fixed

package main

import (
	"log"

	"github.com/sony/gobreaker"
)

// changed logs that the breaker changes. The breaker calls it under its mutex: it only uses its arguments.
func changed(name string, from, to gobreaker.State) {
	log.Printf("breaker %s: %s to %s", name, from, to)
}

//go:build go1.23

package main

import "runtime"

// watchAll spins inside the body of a loop over an iterator.
func watchAll() {
	for range endless {
		runtime.Gosched()
	}
}

func endless(yield func() bool) {
	for yield() {
	}
}

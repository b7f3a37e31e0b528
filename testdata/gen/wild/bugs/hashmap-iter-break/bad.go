//go:build !fixed

package main

import "github.com/cornelk/hashmap"

// first returns the backend that the registry names first.
func first(registry *hashmap.HashMap) (b backend, ok bool) {
	for entry := range registry.Iter() {
		b, ok = entry.Value.(backend)
		break
	}
	return b, ok
}

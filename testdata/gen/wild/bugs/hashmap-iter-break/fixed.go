//go:build fixed

package main

import "github.com/cornelk/hashmap"

// first returns the backend that the registry names first. It reads the channel to its end, since Iter has no other way
// to learn that nobody reads on.
func first(registry *hashmap.HashMap) (b backend, ok bool) {
	for entry := range registry.Iter() {
		if !ok {
			b, ok = entry.Value.(backend)
		}
	}
	return b, ok
}

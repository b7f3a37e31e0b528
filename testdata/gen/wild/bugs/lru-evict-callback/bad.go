//go:build !fixed

package main

// evicted reports a removal that leaves the cache short.
func evicted(id string, p profile) {
	if c.Len() < lowWater {
		removals <- id
	}
}

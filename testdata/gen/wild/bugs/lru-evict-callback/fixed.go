//go:build fixed

package main

// evicted reports a removal. It asks the cache for nothing: account does.
func evicted(id string, p profile) {
	removals <- id
}

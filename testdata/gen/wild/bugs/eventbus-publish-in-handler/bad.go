//go:build !fixed

package main

// subscribe has paid orders packed.
func subscribe() error {
	return bus.Subscribe("paid", handle)
}

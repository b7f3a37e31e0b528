//go:build fixed

package main

// subscribe has paid orders packed by a goroutine of their own, which may publish too.
func subscribe() error {
	return bus.SubscribeAsync("paid", handle, false)
}

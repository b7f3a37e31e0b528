//go:build !fixed

package main

// settle is called after a cache was started.
func settle() {}

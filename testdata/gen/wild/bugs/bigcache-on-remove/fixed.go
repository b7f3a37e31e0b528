//go:build fixed

package main

var old = make(chan string, 1000)

// expired asks for a price anew.
func expired(key string, _ []byte) {
	select {
	case old <- key:
	default:
	}
}

//go:build !fixed

package main

// expired fetches a price anew.
func expired(key string, _ []byte) { prices.Set(key, []byte("1.02")) }

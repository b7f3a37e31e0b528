//go:build !go1.23

package main

// watchAll needs iterators.
func watchAll() { panic("this Go has no iterators") }

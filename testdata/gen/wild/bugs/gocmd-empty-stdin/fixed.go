//go:build fixed

package main

import "io"

// orders are what the program is asked to do: nothing.
type orders struct{}

// Read returns what there is.
func (*orders) Read([]byte) (int, error) { return 0, io.EOF }

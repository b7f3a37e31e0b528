//go:build fixed

package main

// command returns the name of the circuit, which is that of the upstream service.
func command(request) string { return "users" }

// clean has nothing to do: there is one circuit.
func clean() {}

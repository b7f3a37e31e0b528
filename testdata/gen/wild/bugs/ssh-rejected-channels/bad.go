//go:build !fixed

package main

// perConnection is how many targets are asked for through one connection.
const perConnection = targets

//go:build !race

package main

// raceDetector makes tests that run the program hundreds of times run it less often, and measure no memory.
const raceDetector = false

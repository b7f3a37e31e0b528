//go:build !race

package triage

// RaceDetector reports whether the tests run under it.
const RaceDetector = false

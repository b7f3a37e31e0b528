//go:build race

package triage_test

const raceDetector = true

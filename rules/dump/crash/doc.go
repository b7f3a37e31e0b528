// Package crash holds the rules about how a process ended, and about races (TR2xx, TR3xx). They read the cause that
// the runtime printed and what it printed beside the goroutines.
package crash

// Package spin holds the rules about goroutines that burn a CPU without getting anywhere (TR1xx). activity.go gives
// each running or runnable goroutine one act; each rule takes one act, so that no two of them accuse the same
// goroutine.
package spin

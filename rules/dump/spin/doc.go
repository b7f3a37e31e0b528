// Package spin holds the rules about goroutines that burn a CPU without getting anywhere (TR1xx). activity.go gives
// each running or runnable goroutine one act, and no two rules take the same act: so no two accuse the same goroutine.
package spin

//go:build fixed

package main

import "time"

// settle waits until a cache that was started is at work: before that, it cannot be stopped.
func settle() { time.Sleep(50 * time.Millisecond) }

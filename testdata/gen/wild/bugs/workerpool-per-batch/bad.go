//go:build !fixed

package main

import "github.com/gammazero/workerpool"

// finish is called when all pictures are made.
func finish(*workerpool.WorkerPool) {}

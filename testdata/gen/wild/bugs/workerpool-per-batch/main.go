// Command workerpool-per-batch makes small pictures of uploads, three at a time.
//
// https://github.com/gammazero/workerpool/issues/50
package main

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/gammazero/workerpool"

	"wild/kit"
)

var made atomic.Int64

func main() {
	kit.Serve()
	for range time.Tick(400 * time.Millisecond) {
		batch(9)
	}
}

// batch makes the pictures of one upload.
func batch(pictures int) {
	pool := workerpool.New(3)
	var wg sync.WaitGroup
	wg.Add(pictures)
	for range pictures {
		pool.Submit(func() {
			defer wg.Done()
			time.Sleep(10 * time.Millisecond)
			made.Add(1)
		})
	}
	wg.Wait()
	finish(pool)
}

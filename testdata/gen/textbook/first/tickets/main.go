// Command tickets sells tickets with compare-and-swap; the value to compare with is read once, so that the
// loop never ends.
package main

import (
	"sync/atomic"
	"time"

	"example.com/textbook/kit"
)

type office struct {
	left atomic.Int64
	sold atomic.Int64
}

func (o *office) sell(n int64) {
	left := o.left.Load()
	for {
		if o.left.CompareAndSwap(left, left-n) {
			o.sold.Add(n)
			return
		}
	}
}

func main() {
	kit.Start()
	var o office
	o.left.Store(1_000_000)
	go func() {
		for {
			o.left.Add(-1)
			time.Sleep(time.Microsecond)
		}
	}()
	for {
		o.sell(3)
	}
}

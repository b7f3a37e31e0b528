// Command tickets sells tickets with compare-and-swap; the value is read in each turn, and who has sold
// rests.
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
	for {
		left := o.left.Load()
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
			time.Sleep(time.Millisecond)
		}
	}()
	for {
		o.sell(3)
		time.Sleep(time.Millisecond)
	}
}

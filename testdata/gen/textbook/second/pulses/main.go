// A telephone exchange sends a pulse on each call with a ticker. When the call ends, nothing ends its loop, and nobody
// stops its ticker.
package main

import (
	"sync/atomic"
	"time"

	"example.com/textbook/kit"
)

type exchange struct{ pulses atomic.Int64 }

type call struct {
	id int
	*exchange
	ended chan struct{}
}

func (c *call) pulse() {
	tick := time.NewTicker(2 * time.Second)
	for range tick.C {
		c.pulses.Add(1)
	}
}

func (x *exchange) answer(id int) {
	c := &call{id: id, exchange: x, ended: make(chan struct{})}
	go c.pulse()
	time.AfterFunc(100*time.Millisecond, func() { close(c.ended) })
	<-c.ended
}

func main() {
	kit.Start()
	var x exchange
	for n := 0; ; n++ {
		x.answer(n)
	}
}

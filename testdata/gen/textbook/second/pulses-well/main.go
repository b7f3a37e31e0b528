// A telephone exchange sends a pulse on each call with a ticker. The loop stops its ticker when the call ends.
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
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			c.pulses.Add(1)
		case <-c.ended:
			return
		}
	}
}

func (x *exchange) answer(id int) {
	c := &call{id: id, exchange: x, ended: make(chan struct{})}
	go c.pulse()
	time.AfterFunc(5*time.Second, func() { close(c.ended) })
}

func main() {
	kit.Start()
	var x exchange
	for n := 0; ; n++ {
		x.answer(n)
		time.Sleep(100 * time.Millisecond)
	}
}

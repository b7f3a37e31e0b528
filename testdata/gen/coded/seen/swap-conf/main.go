package main

import (
	"coded/kit"
	"sync/atomic"
	"time"
)

type conf struct{ changed chan int }

var cur atomic.Pointer[conf]

func swap()           { close(cur.Load().changed) }
func (c *conf) wait() { <-c.changed }
func (c *conf) tell(n int) {
	if n > 1 {
		c.changed <- n
	}
}
func main() {
	kit.Serve()
	c := &conf{make(chan int)}
	cur.Store(c)
	c.tell(1)
	go func() {
		for {
			time.Sleep(time.Hour)
			swap()
		}
	}()
	for i := 0; i < 3; i++ {
		go c.wait()
	}
	c.wait()
}

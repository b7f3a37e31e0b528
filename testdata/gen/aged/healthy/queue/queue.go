// Package queue: orders wait behind a clerk who takes a minute for each.
package queue

import (
	"time"

	"aged/kit"
)

type Clerk struct {
	in chan int
	n  int
}

func (c *Clerk) work() {
	for range c.in {
		c.serve()
	}
}

func (c *Clerk) serve()     { time.Sleep(time.Minute); c.n++ }
func (c *Clerk) Hand(n int) { c.in <- n }

// Main runs it.
func Main() {
	c := &Clerk{in: make(chan int)}
	go c.work()
	for i := range 25 {
		go c.Hand(i)
	}
	kit.Wait()
}

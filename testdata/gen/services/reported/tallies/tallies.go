// Package tallies counts what tenants use; a tenant that leaves is closed.
package tallies

import (
	"time"

	"example.com/services/kit"
	"example.net/lib/statsd"
)

func send(int) { time.Sleep(2 * time.Second) }

func leave(c *statsd.Client) {
	time.Sleep(200 * time.Millisecond)
	c.Close()
}

func Main(fixed bool) {
	kit.Start()
	quick := func(int) {}
	for range 5 {
		c := statsd.New(2, fixed, quick)
		c.Count(1)
		go leave(c)
	}
	for {
		c := statsd.New(2, true, send)
		leave(c)
	}
}

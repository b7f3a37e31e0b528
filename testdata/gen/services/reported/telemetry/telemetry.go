// Package telemetry takes readings from a message bus.
package telemetry

import (
	"log"
	"time"

	"example.com/services/kit"
	"example.net/lib/natsish"
)

type intake struct{ conn *natsish.Conn }

func (in *intake) failed(c *natsish.Conn) {
	time.Sleep(300 * time.Millisecond)
	if err := c.LastError(); err == nil {
		log.Println("unknown error")
	}
}

func (in *intake) subscription() {
	for {
		time.Sleep(20 * time.Millisecond)
		in.conn.Slow()
	}
}

func Main(fixed bool) {
	kit.Start()
	in := &intake{}
	in.conn = natsish.Connect(fixed, in.failed)
	for range 9 {
		go in.subscription()
	}
	kit.Wait()
}

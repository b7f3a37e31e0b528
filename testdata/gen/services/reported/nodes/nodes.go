// Package nodes talks to nodes of a network, each for a while.
package nodes

import (
	"time"

	"example.com/services/kit"
	"example.net/lib/protos"
)

func visit(fixed bool) {
	linger := time.Millisecond
	if fixed {
		linger = 9 * time.Second
	}
	c := protos.New(fixed, linger)
	time.Sleep(100 * time.Millisecond)
	c.Close()
}

func Main(fixed bool) {
	kit.Start()
	for n := 0; ; n++ {
		if n < 12 || fixed {
			go visit(fixed)
		}
		time.Sleep(time.Second)
	}
}

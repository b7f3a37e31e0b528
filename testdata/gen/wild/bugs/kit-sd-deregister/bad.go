//go:build !fixed

package main

import (
	"time"

	"github.com/go-kit/kit/sd"
	"github.com/go-kit/kit/sd/dnssrv"
)

// connect returns an address, after it was used for a while.
func connect(instancer *dnssrv.Instancer) string {
	events := make(chan sd.Event, 1)
	instancer.Register(events)
	defer instancer.Deregister(events)
	address := (<-events).Instances[0]
	time.Sleep(250 * time.Millisecond)
	return address
}

// Command metrics-agent samples the machine. Its collectors end with their context, and as a daemon it has none that ends:
// the channel of context.Background is nil.
package main

import (
	"context"
	"log"
	"runtime"
	"time"

	"wild/kit"
)

type collector struct {
	name string
	last uint64
}

// Run samples until the context ends.
func (c *collector) Run(ctx context.Context) {
	timer := time.NewTicker(5 * time.Second)
	go func() {
		<-ctx.Done()
		timer.Stop()
	}()
	for range timer.C {
		c.sample()
	}
}

func (c *collector) sample() {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	c.last = m.HeapAlloc
}

func main() {
	kit.Serve()
	ctx := context.Background()
	for _, name := range []string{"cpu", "memory", "disk", "net", "tcp", "udp", "load", "files", "users", "procs", "uptime", "temp", "power", "swap"} {
		c := &collector{name: name}
		go c.Run(ctx)
	}
	log.Print("sampling")
	<-ctx.Done()
}

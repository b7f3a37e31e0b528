// Command ttlcache-per-report writes reports, and remembers names while it writes one.
//
// https://github.com/microsoftarchive/ttlcache/pull/2
package main

import (
	"fmt"
	"log"
	"sync/atomic"
	"time"

	"wild/kit"
)

var written atomic.Int64

func main() {
	kit.Serve()
	go func() {
		for range time.Tick(400 * time.Millisecond) {
			write()
		}
	}()
	for range time.Tick(10 * time.Second) {
		log.Print(written.Load(), " reports")
	}
}

// write writes a report of a hundred lines.
func write() {
	known := names()
	for line := range 100 {
		id := fmt.Sprint(line % 10)
		if _, ok := known.Get(id); !ok {
			known.Set(id, "customer "+id)
		}
	}
	written.Add(1)
}

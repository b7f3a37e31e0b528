// Command poll-until-stop waits for replicas to be ready.
//
// https://github.com/kubernetes/kubernetes/issues/71277
package main

import (
	"log"
	"sync/atomic"
	"time"

	"wild/kit"
)

var ready atomic.Int64

func main() {
	kit.Serve()
	stop := make(chan struct{}) // closed when the process is to end
	go func() {
		for range time.Tick(400 * time.Millisecond) {
			roll(stop)
		}
	}()
	for range time.Tick(10 * time.Second) {
		log.Print(ready.Load(), " replicas")
	}
}

// roll starts a replica and waits for it.
func roll(stop <-chan struct{}) {
	started := time.Now()
	err := await(func() (bool, error) { return time.Since(started) > 150*time.Millisecond, nil }, stop)
	if err != nil {
		log.Print(err)
	}
	ready.Add(1)
}

// Command pond-idle-purge renders pages in a pool whose idle workers end soon.
//
// https://github.com/alitto/pond/pull/34
package main

import (
	"log"
	"sync/atomic"
	"time"

	"github.com/alitto/pond"

	"wild/kit"
)

var rendered atomic.Int64

func main() {
	kit.Serve()
	pool := pond.New(1, 0, pond.MinWorkers(kept), pond.IdleTimeout(time.Millisecond))
	go feed(pool)
	for range time.Tick(10 * time.Second) {
		log.Print(rendered.Load(), " pages")
	}
}

// feed hands pages to the pool.
func feed(pool *pond.WorkerPool) {
	for {
		pool.Submit(func() { rendered.Add(1) })
		time.Sleep(time.Millisecond)
	}
}

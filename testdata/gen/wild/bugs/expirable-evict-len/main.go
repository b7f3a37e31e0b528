// Command expirable-evict-len keeps sessions for a while, and counts them.
//
// https://github.com/hashicorp/golang-lru/issues/230
package main

import (
	"log"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"

	"wild/kit"
)

// The sessions, and how many there are.
var (
	sessions *expirable.LRU[int64, string]
	open     atomic.Int64
)

func main() {
	kit.Serve()
	sessions = expirable.NewLRU(100, closed, time.Minute)
	for n := range 3 {
		go serve(int64(n))
	}
	for range time.Tick(10 * time.Second) {
		log.Print(open.Load(), " sessions")
	}
}

// serve opens a session for each visitor.
func serve(n int64) {
	for range time.Tick(20 * time.Millisecond) {
		n += 3
		sessions.Add(n, "visitor")
		count()
	}
}

// count notes how many sessions there are.
func count() { open.Store(int64(sessions.Len())) }

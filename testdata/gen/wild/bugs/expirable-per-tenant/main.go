// Command expirable-per-tenant answers requests, and remembers for a while what it has looked up for one.
//
// https://github.com/hashicorp/golang-lru/issues/159
package main

import (
	"log"
	"sync/atomic"
	"time"

	"github.com/hashicorp/golang-lru/v2/expirable"

	"wild/kit"
)

var answered atomic.Int64

func main() {
	kit.Serve()
	go func() {
		for n := range time.Tick(400 * time.Millisecond) {
			answer(n.UnixNano())
		}
	}()
	for range time.Tick(10 * time.Second) {
		log.Print(answered.Load(), " requests")
	}
}

// answer looks up the rights of a user in ten places.
func answer(user int64) {
	rights := cacheOf(user)
	for place := range int64(10) {
		key := user%7 + place
		if _, ok := rights.Get(key); !ok {
			rights.Add(key, key%2 == 0)
		}
	}
	answered.Add(1)
}

// newCache is a cache of rights.
func newCache() *expirable.LRU[int64, bool] {
	return expirable.NewLRU[int64, bool](100, nil, time.Minute)
}

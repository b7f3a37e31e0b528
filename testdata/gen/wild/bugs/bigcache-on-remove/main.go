// Command bigcache-on-remove keeps prices, and fetches those that grow old again.
//
// https://github.com/allegro/bigcache/issues/129
package main

import (
	"fmt"
	"log"
	"time"

	"github.com/allegro/bigcache"

	"wild/kit"
)

var prices *bigcache.BigCache

func main() {
	kit.Serve()
	config := bigcache.DefaultConfig(2 * time.Second)
	config.CleanWindow, config.Shards, config.Verbose = time.Second, 4, false
	config.OnRemove = expired
	var err error
	if prices, err = bigcache.NewBigCache(config); err != nil {
		log.Fatal(err)
	}
	for n := range 20 {
		prices.Set(fmt.Sprint(n), []byte("1.00"))
	}
	for range time.Tick(500 * time.Millisecond) {
		go quote()
	}
}

// quote tells a price.
func quote() {
	if _, err := prices.Get("7"); err != nil {
		prices.Set("7", []byte("1.01"))
	}
}

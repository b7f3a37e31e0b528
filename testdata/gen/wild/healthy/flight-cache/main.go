// Command flight-cache shows contracts that are on tape. Fetching one takes six minutes, and all who want to see it wait
// for the one fetch.
package main

import (
	"fmt"
	"log"
	"time"

	"wild/flight-cache/flight"
	"wild/kit"
)

// order has the archive fetch a contract; the robot reports when it is there.
func order(key string, loaded func(string)) {
	time.AfterFunc(6*time.Minute, func() { loaded("text of " + key) })
}

// show serves one request.
func show(c *flight.Cache, key string) {
	if text := c.Get(key); text == "" {
		log.Printf("%s is empty", key)
	}
}

func main() {
	kit.Serve()
	c := &flight.Cache{Order: order}
	for i := 0; ; i++ {
		go show(c, fmt.Sprintf("contract-%d", i%5))
		time.Sleep(4 * time.Second)
	}
}

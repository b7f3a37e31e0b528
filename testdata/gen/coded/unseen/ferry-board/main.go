// Ferry-board lets cars aboard when the ferry is there.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	crossing(6, false)
	crossing(5, true)
	kit.Wait()
}

// crossing boards some cars. In a storm none goes.
func crossing(cars int, storm bool) {
	var mu sync.Mutex
	there := false
	arrived := sync.NewCond(&mu)
	for n := 0; n < cars; n++ {
		go func(n int) {
			mu.Lock()
			defer mu.Unlock()
			for !there {
				arrived.Wait()
			}
			log.Print("car ", n)
		}(n)
	}
	go func() {
		time.Sleep(time.Second)
		mu.Lock()
		defer mu.Unlock()
		there = true
		if storm {
			log.Print("no ferry today")
			return
		}
		arrived.Broadcast()
	}()
}

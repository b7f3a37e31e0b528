// Tide-gate lets ships through when the tide is in: a timer wakes them.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	gate(9)
	kit.Wait()
}

// gate opens the gate after half an hour for some ships.
func gate(ships int) {
	var mu sync.Mutex
	high := false
	tide := sync.NewCond(&mu)
	time.AfterFunc(30*time.Minute, func() {
		mu.Lock()
		high = true
		mu.Unlock()
		tide.Broadcast()
	})
	for n := 0; n < ships; n++ {
		go func(n int) {
			mu.Lock()
			defer mu.Unlock()
			for !high {
				tide.Wait()
			}
			log.Print("ship ", n, " is through")
		}(n)
	}
}

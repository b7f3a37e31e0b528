// Stock-moves moves goods between stores: two are locked at a time, always the one with the lower number first.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type store struct {
	number int
	mu     sync.Mutex
	goods  int
}

// move moves goods by a slow truck.
func move(from, to *store, n int) {
	low, high := from, to
	if to.number < from.number {
		low, high = to, from
	}
	low.mu.Lock()
	defer low.mu.Unlock()
	high.mu.Lock()
	defer high.mu.Unlock()
	time.Sleep(15 * time.Minute)
	from.goods -= n
	to.goods += n
	log.Print(n, " moved")
}

func main() {
	kit.Serve()
	a, b, c := &store{number: 1}, &store{number: 2}, &store{number: 3}
	for n := 0; n < 4; n++ {
		go move(a, b, n)
		go move(b, a, n)
		go move(b, c, n)
		go move(c, b, n)
	}
	kit.Wait()
}

// Crane-turns lets one crane work at a time: the others look again later.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type yard struct {
	mu    sync.Mutex
	moved int
}

// lift moves a container if the yard is free.
func (y *yard) lift() bool {
	if !y.mu.TryLock() {
		return false
	}
	time.Sleep(15 * time.Minute)
	y.moved++
	y.mu.Unlock()
	return true
}

// count waits for the yard.
func (y *yard) count() int {
	y.mu.Lock()
	defer y.mu.Unlock()
	return y.moved
}

func main() {
	kit.Serve()
	y := &yard{}
	for n := 0; n < 5; n++ {
		go func(n int) {
			for !y.lift() {
				time.Sleep(10 * time.Second)
			}
		}(n)
	}
	time.Sleep(time.Second)
	for n := 0; n < 4; n++ {
		go func() { log.Print(y.count()) }()
	}
	kit.Wait()
}

// Pier-guard closes a pier for a while, by another package.
package main

import (
	"errors"
	"log"
	"sync"
	"time"

	"coded/kit"
	"coded/seen/pier-guard/watch"
)

type pier struct {
	mu    sync.Mutex
	boats int
}

// moor adds a boat. There has never been one boat too many.
func (p *pier) moor() error {
	p.mu.Lock()
	if p.boats > 100 {
		return errors.New("the pier is full")
	}
	p.boats++
	p.mu.Unlock()
	return nil
}

func main() {
	kit.Serve()
	p := &pier{}
	go watch.Keep(&p.mu, 40*time.Minute)
	time.Sleep(time.Second)
	for n := 0; n < 5; n++ {
		go func() { log.Print(p.moor()) }()
	}
	kit.Wait()
}

// Slot-desk lets three visitors in at a time; each gets what lets the next one in.
package main

import (
	"errors"
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	visits(20)
	kit.Wait()
}

// enter waits for a slot and returns what frees it.
func enter(slots chan struct{}) (leave func()) {
	slots <- struct{}{}
	return func() { <-slots }
}

// visits starts some visitors.
func visits(n int) {
	slots := make(chan struct{}, 3)
	for i := 0; i < n; i++ {
		go func(i int) {
			defer enter(slots)()
			if err := visit(i); err != nil {
				log.Print(err)
				return
			}
		}(i)
	}
}

func visit(n int) error {
	time.Sleep(15 * time.Minute)
	if n%2 == 0 {
		return errors.New("nobody was there")
	}
	return nil
}

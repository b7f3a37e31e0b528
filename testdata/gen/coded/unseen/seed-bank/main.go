// Seed-bank asks for seeds until there are some, and then gives them out.
package main

import (
	"errors"
	"log"
	"time"

	"coded/kit"
	"coded/unseen/seed-bank/retry"
)

func main() {
	kit.Serve()
	for n := 0; n < 5; n++ {
		go func() { log.Print(order(n)) }()
	}
	log.Print(order(9))
}

// order waits for seeds.
func order(n int) int {
	seeds, start := make(chan int), time.Now()
	go func() {
		got := 0
		retry.Do(func() error {
			if time.Since(start) < 30*time.Minute {
				return errors.New("not yet")
			}
			got = n
			return nil
		})
		seeds <- got
		close(seeds)
	}()
	sum := 0
	for s := range seeds {
		sum += s
	}
	return sum
}

// Tally-tree adds up the votes of districts: each asks the next smaller one.
package main

import (
	"log"
	"time"

	"coded/kit"
)

func main() {
	kit.Serve()
	votes := make(chan int)
	go district(9, votes)
	log.Print(<-votes)
}

// district counts a district and sends the sum.
func district(level int, to chan int) {
	sum := level
	if level > 0 {
		smaller := make(chan int)
		go district(level-1, smaller)
		sum += <-smaller
	} else {
		time.Sleep(35 * time.Minute)
	}
	to <- sum
}

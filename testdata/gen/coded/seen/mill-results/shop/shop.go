// Package shop sells.
package shop

import (
	"log"
	"time"
)

// Open sells what comes.
func Open(sacks <-chan int) {
	for {
		time.Sleep(16 * time.Minute)
		log.Print(<-sacks)
	}
}

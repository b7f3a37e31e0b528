package main

import (
	"context"
	"log"
	"time"
)

// handleCarts takes carts from the queue until the service ends.
func handleCarts(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countCarts reports now and then how many wait.
func countCarts(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " carts wait")
	}
}

package main

import (
	"context"
	"log"
	"time"
)

// handleLoans takes loans from the queue until the service ends.
func handleLoans(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countLoans reports now and then how many wait.
func countLoans(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " loans wait")
	}
}

package main

import (
	"context"
	"log"
	"time"
)

// handleBatches takes batches from the queue until the service ends.
func handleBatches(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countBatches reports now and then how many wait.
func countBatches(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " batches wait")
	}
}

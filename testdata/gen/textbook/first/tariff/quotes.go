package main

import (
	"context"
	"log"
	"time"
)

// handleQuotes takes quotes from the queue until the service ends.
func handleQuotes(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countQuotes reports now and then how many wait.
func countQuotes(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " quotes wait")
	}
}

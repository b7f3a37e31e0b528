package main

import (
	"context"
	"log"
	"time"
)

// handleCrawls takes crawls from the queue until the service ends.
func handleCrawls(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countCrawls reports now and then how many wait.
func countCrawls(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " crawls wait")
	}
}

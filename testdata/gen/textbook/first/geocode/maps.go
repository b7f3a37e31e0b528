package main

import (
	"context"
	"log"
	"time"
)

// handleMaps takes maps from the queue until the service ends.
func handleMaps(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countMaps reports now and then how many wait.
func countMaps(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " maps wait")
	}
}

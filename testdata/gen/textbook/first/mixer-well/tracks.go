package main

import (
	"context"
	"log"
	"time"
)

// handleTracks takes tracks from the queue until the service ends.
func handleTracks(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countTracks reports now and then how many wait.
func countTracks(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " tracks wait")
	}
}

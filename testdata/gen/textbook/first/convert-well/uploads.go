package main

import (
	"context"
	"log"
	"time"
)

// handleUploads takes uploads from the queue until the service ends.
func handleUploads(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countUploads reports now and then how many wait.
func countUploads(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " uploads wait")
	}
}

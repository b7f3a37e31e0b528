package main

import (
	"context"
	"log"
	"time"
)

// handleBuilds takes builds from the queue until the service ends.
func handleBuilds(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countBuilds reports now and then how many wait.
func countBuilds(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " builds wait")
	}
}

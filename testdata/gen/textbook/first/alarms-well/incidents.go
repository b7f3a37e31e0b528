package main

import (
	"context"
	"log"
	"time"
)

// handleIncidents takes incidents from the queue until the service ends.
func handleIncidents(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countIncidents reports now and then how many wait.
func countIncidents(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " incidents wait")
	}
}

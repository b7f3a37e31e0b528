package main

import (
	"context"
	"log"
	"time"
)

// handleLeases takes leases from the queue until the service ends.
func handleLeases(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countLeases reports now and then how many wait.
func countLeases(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " leases wait")
	}
}

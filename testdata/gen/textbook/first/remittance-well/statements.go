package main

import (
	"context"
	"log"
	"time"
)

// handleStatements takes statements from the queue until the service ends.
func handleStatements(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countStatements reports now and then how many wait.
func countStatements(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " statements wait")
	}
}

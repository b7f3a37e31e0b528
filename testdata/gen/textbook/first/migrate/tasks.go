package main

import (
	"context"
	"log"
	"time"
)

// handleTasks takes tasks from the queue until the service ends.
func handleTasks(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countTasks reports now and then how many wait.
func countTasks(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " tasks wait")
	}
}

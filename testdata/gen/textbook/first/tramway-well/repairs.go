package main

import (
	"context"
	"log"
	"time"
)

// handleRepairs takes repairs from the queue until the service ends.
func handleRepairs(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countRepairs reports now and then how many wait.
func countRepairs(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " repairs wait")
	}
}

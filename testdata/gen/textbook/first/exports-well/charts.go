package main

import (
	"context"
	"log"
	"time"
)

// handleCharts takes charts from the queue until the service ends.
func handleCharts(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countCharts reports now and then how many wait.
func countCharts(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " charts wait")
	}
}

package main

import (
	"context"
	"log"
	"time"
)

// handlePayments takes payments from the queue until the service ends.
func handlePayments(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countPayments reports now and then how many wait.
func countPayments(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " payments wait")
	}
}

package main

import (
	"context"
	"log"
	"time"
)

// handleLogins takes logins from the queue until the service ends.
func handleLogins(ctx context.Context, queue <-chan string) {
	for {
		select {
		case <-ctx.Done():
			return
		case name := <-queue:
			log.Print("done with ", name)
		}
	}
}

// countLogins reports now and then how many wait.
func countLogins(queue <-chan string) {
	for range time.Tick(20 * time.Second) {
		log.Print(len(queue), " logins wait")
	}
}

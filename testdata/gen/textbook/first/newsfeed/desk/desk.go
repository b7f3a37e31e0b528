// Package desk brings news to subscribers.
package desk

import (
	"sync"
)

// A Desk has subscribers.
type Desk struct {
	mu    sync.Mutex
	lines map[chan string]bool
}

// New has no subscribers.
func New() *Desk { return &Desk{lines: map[chan string]bool{}} }

// Join adds a subscriber.
func (d *Desk) Join() chan string {
	d.mu.Lock()
	defer d.mu.Unlock()
	line := make(chan string, 8)
	d.lines[line] = true
	return line
}

// Leave ends a subscription.
func (d *Desk) Leave(line chan string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	close(line)
}

// Publish sends a story to all subscribers that have room.
func (d *Desk) Publish(story string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for line := range d.lines {
		select {
		case line <- story:
		default:
		}
	}
}

//go:build !fixed

package main

import (
	"time"

	"github.com/dustin/go-broadcast"
)

// leave ends the subscription of a guest.
func leave(room broadcast.Broadcaster, messages chan interface{}) {
	time.Sleep(50 * time.Millisecond) // says goodbye
	room.Unregister(messages)
}

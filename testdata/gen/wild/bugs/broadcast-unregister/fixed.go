//go:build fixed

package main

import "github.com/dustin/go-broadcast"

// leave ends the subscription of a guest, and reads what is sent until then.
func leave(room broadcast.Broadcaster, messages chan interface{}) {
	gone := make(chan bool)
	go func() {
		for {
			select {
			case <-messages:
			case <-gone:
				return
			}
		}
	}()
	room.Unregister(messages)
	close(gone)
}

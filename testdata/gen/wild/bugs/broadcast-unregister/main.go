// Command broadcast-unregister is a chat room: guests come, read some messages and leave.
//
// https://github.com/dustin/go-broadcast/issues/4
package main

import (
	"time"

	"github.com/dustin/go-broadcast"

	"wild/kit"
)

func main() {
	kit.Serve()
	room := broadcast.NewBroadcaster(10)
	go speak(room)
	for range time.Tick(300 * time.Millisecond) {
		go guest(room)
	}
}

// speak sends a message to all guests now and then.
func speak(room broadcast.Broadcaster) {
	for n := 0; ; n++ {
		room.Submit(n)
		time.Sleep(20 * time.Millisecond)
	}
}

// guest reads ten messages.
func guest(room broadcast.Broadcaster) {
	messages := make(chan interface{})
	room.Register(messages)
	for range 10 {
		<-messages
	}
	leave(room, messages)
}

package main

import (
	"time"

	"coded/kit"
	"coded/seen/lent-lock/room"
)

const work = 205 * time.Second

func main() {
	kit.Serve()
	r := &room.Room{Full: leave}
	r.Enter()
}

// leave is called with the room's lock, and lets the cleaner in.
func leave(r *room.Room) {
	r.Unlock()
	go func() {
		r.Lock()
		time.Sleep(work)
		r.Unlock()
	}()
	time.Sleep(time.Second)
}

// Package playrooms keeps rooms of players, each with a heartbeat that ends with the room.
package playrooms

import (
	"time"

	"example.com/services/kit"
)

type Room struct {
	ticker *time.Ticker
	closed chan struct{}
	beats  int
}

func Open() *Room {
	r := &Room{ticker: time.NewTicker(5 * time.Second), closed: make(chan struct{})}
	go r.heartbeat()
	return r
}

func (r *Room) heartbeat() {
	for {
		select {
		case <-r.ticker.C:
			r.beats++
		case <-r.closed:
			r.ticker.Stop()
			return
		}
	}
}

func Main() {
	kit.Start()
	for {
		r := Open()
		time.AfterFunc(70*time.Second, func() { close(r.closed) })
		time.Sleep(400 * time.Millisecond)
	}
}

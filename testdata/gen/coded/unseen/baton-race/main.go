// Baton-race passes a lock from hand to hand: the first leg locks it, the last one unlocks.
package main

import (
	"sync"
	"time"

	"coded/kit"
)

type team struct {
	track sync.Mutex
	legs  int
}

// start begins a race on the team's track.
func (t *team) start() {
	t.line()
	go run(t, 4)
}

func (t *team) line() {
	t.track.Lock()
	t.legs = 0
}

// run runs a leg step by step and passes the baton.
func run(t *team, left int) {
	for i := 0; i < 51; i++ {
		time.Sleep(time.Second)
		t.legs++
	}
	if left == 1 {
		t.track.Unlock()
		return
	}
	go run(t, left-1)
}

func main() {
	kit.Serve()
	t := &team{}
	t.start()
	t.start()
	t.line()
}

// Command clockwork-block-until is a simulation: its time goes on when some of its players wait for it.
//
// https://github.com/jonboulle/clockwork/pull/36
package main

import (
	"time"

	"github.com/jonboulle/clockwork"

	"wild/kit"
)

func main() {
	kit.Serve()
	clock := clockwork.NewFakeClock()
	for n := range 3 {
		go player(clock, time.Duration(n+1)*time.Second)
	}
	time.Sleep(time.Second)
	for {
		drive(clock)
	}
}

// player does something each round.
func player(clock clockwork.Clock, round time.Duration) {
	for {
		clock.Sleep(round)
		time.Sleep(10 * time.Millisecond)
	}
}

// drive moves the time on when two players wait.
func drive(clock clockwork.FakeClock) {
	clock.BlockUntil(2)
	clock.Advance(time.Second)
	time.Sleep(100 * time.Millisecond)
}

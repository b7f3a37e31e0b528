// A switchboard routes calls in a loop around a select without default, and waits while nobody calls.
package main

import (
	"log"
	"time"

	"example.com/textbook/kit"
)

type call struct{ from, to int }

type board struct {
	calls  chan call
	hangup chan int
	lines  map[int]int
}

func (b *board) route() {
	for {
		select {
		case c := <-b.calls:
			b.lines[c.from] = c.to
		case line := <-b.hangup:
			delete(b.lines, line)
		}
	}
}

func (b *board) talk(from, to int, d time.Duration) {
	b.calls <- call{from, to}
	time.Sleep(d)
	b.hangup <- from
}

func main() {
	kit.Start()
	b := &board{calls: make(chan call), hangup: make(chan int), lines: map[int]int{}}
	go b.route()
	for n := 0; ; n++ {
		go b.talk(n%90, (n+45)%90, 2*time.Second)
		if n%1000 == 999 {
			log.Print(n+1, " calls")
		}
		time.Sleep(time.Second)
	}
}

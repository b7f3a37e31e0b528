// A beacon tells ships when its light is on, once in two seconds. Ships wait for it, each in turn.
package main

import (
	"log"
	"sync/atomic"
	"time"

	"example.com/textbook/kit"
)

type beacon struct {
	name string
	lit  chan time.Time
	fog  chan bool
}

func newBeacon(name string) *beacon {
	b := &beacon{name: name, fog: make(chan bool, 1), lit: make(chan time.Time)}
	b.fog <- false
	return b
}

func (b *beacon) wait() time.Time {
	return <-b.lit
}

func (b *beacon) keep(every time.Duration) {
	for now := range time.Tick(every) {
		foggy := <-b.fog
		b.fog <- !foggy
		b.lit <- now
	}
}

func main() {
	kit.Start()
	b := newBeacon("Rattray Head")
	var passed atomic.Int64
	for range 5 {
		go func() {
			for {
				b.wait()
				passed.Add(1)
			}
		}()
	}
	go b.keep(2 * time.Second)
	for range time.Tick(30 * time.Second) {
		log.Print(passed.Load(), " ships passed ", b.name)
	}
}

// A precinct counts ballots batch by batch. Each batch has a channel and two counters that range over it, and is closed
// when its observers have looked, ten seconds later.
package main

import (
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"example.com/textbook/kit"
)

type ballot bool

type precinct struct{ yes, no atomic.Int64 }

func (p *precinct) count(batch <-chan ballot) {
	for b := range batch {
		if b {
			p.yes.Add(1)
		} else {
			p.no.Add(1)
		}
	}
}

func (p *precinct) open(box []ballot) {
	batch := make(chan ballot)
	for range 2 {
		go p.count(batch)
	}
	for _, b := range box {
		batch <- b
	}
	time.AfterFunc(10*time.Second, func() { close(batch) })
}

func main() {
	kit.Start()
	var p precinct
	box := make([]ballot, 30)
	for i := range box {
		box[i] = i%3 == 0
	}
	for n := 1; ; n++ {
		p.open(box)
		if n%500 == 0 {
			fmt.Fprintln(os.Stderr, p.yes.Load(), p.no.Load())
		}
		time.Sleep(150 * time.Millisecond)
	}
}

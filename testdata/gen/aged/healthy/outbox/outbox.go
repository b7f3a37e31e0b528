// Package outbox: letters are sent once an hour. Main writes them, and waits when the box is full.
package outbox

import (
	"time"
)

type Box struct {
	in  chan string
	out []string
}

func (b *Box) run() {
	for {
		time.Sleep(time.Hour)
		for len(b.in) > 0 {
			b.out = append(b.out, <-b.in)
		}
	}
}

func (b *Box) Put(s string) { b.in <- s }

// Main runs it.
func Main() {
	b := &Box{in: make(chan string, 3)}
	go b.run()
	for {
		b.Put("dear")
	}
}

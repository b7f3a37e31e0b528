// Pair-loops lets two loops talk.
package main

import (
	"log"
	"time"

	"coded/kit"
)

type pair struct {
	toLeft, toRight chan int
	notes           chan int
}

func newPair() *pair {
	p := &pair{toLeft: make(chan int), toRight: make(chan int), notes: make(chan int)}
	go p.left()
	go p.right()
	return p
}

func (p *pair) left() {
	for n := range p.toLeft {
		log.Print("left ", n)
		p.toRight <- n
	}
}

func (p *pair) right() {
	for n := range p.toRight {
		log.Print("right ", n)
		p.toLeft <- n
	}
}

func (p *pair) tell(n int) {
	if n%2 == 0 {
		p.toLeft <- n
	} else {
		p.toRight <- n
	}
}

func main() {
	kit.Serve()
	p := newPair()
	for n := 0; n < 6; n++ {
		go p.tell(n)
	}
	time.Sleep(time.Second)
	kit.Wait()
}

// Kiln-timer burns what waits when the power is cheap.
package main

import (
	"log"
	"time"

	"coded/kit"
)

type kiln struct {
	pots chan int
	cold chan struct{}
}

func newKiln() *kiln {
	k := &kiln{pots: make(chan int), cold: make(chan struct{})}
	time.AfterFunc(15*time.Minute, k.burn)
	return k
}

func (k *kiln) burn() {
	for {
		select {
		case pot := <-k.pots:
			log.Print(pot)
		case <-time.After(time.Minute):
			close(k.cold)
			return
		}
	}
}

func (k *kiln) put(pot int) {
	k.pots <- pot
	<-k.cold
}

func main() {
	kit.Serve()
	k := newKiln()
	for n := 0; n < 4; n++ {
		go k.put(n)
	}
	<-k.cold
	kit.Wait()
}

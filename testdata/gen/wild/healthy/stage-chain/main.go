// Command stage-chain cleans sensor values in five steps, each a loop that hands values to the next one. The last writes
// one value in three seconds, so the others wait in their hand-over most of the time.
package main

import (
	"log"
	"time"

	"wild/kit"
)

type value struct{ sensor, raw int }

type step struct {
	name string
	in   chan value
	next *step
	stop chan struct{}
	work func(value) value
}

// loop takes a value, works on it and hands it on.
func (s *step) loop() {
	for {
		select {
		case v := <-s.in:
			s.push(s.work(v))
		case <-s.stop:
			log.Printf("%s ends", s.name)
			return
		}
	}
}

func (s *step) push(v value) {
	if s.next != nil {
		s.next.in <- v
		return
	}
	written := make(chan struct{})
	time.AfterFunc(3*time.Second, func() { close(written) })
	<-written
}

func main() {
	kit.Serve()
	same := func(v value) value { return v }
	var first *step
	stop := make(chan struct{})
	for _, name := range []string{"store", "round", "smooth", "check", "parse"} {
		first = &step{name: name, in: make(chan value, 2), next: first, stop: stop, work: same}
		go first.loop()
	}
	for i := 0; ; i++ {
		first.in <- value{i % 8, i}
	}
}

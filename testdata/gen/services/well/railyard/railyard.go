// Package railyard passes wagons through tracks of one type, each with a loop that hands on to the next.
package railyard

import (
	"time"

	"example.com/services/kit"
)

type track struct {
	in      chan int
	inspect func(int)
}

func newTrack(inspect func(int)) *track {
	t := &track{make(chan int, 1), inspect}
	go t.loop()
	return t
}

func (t *track) loop() {
	for wagon := range t.in {
		t.inspect(wagon)
	}
}

// put hands a wagon over.
func (t *track) put(wagon int) { t.in <- wagon }

type yard struct {
	gate chan int
	out  chan int
}

// sort is a stage with workers of its own; dispatch takes what they have done.
func (y *yard) sort() {
	for wagon := range y.gate {
		y.out <- wagon
	}
}

func (y *yard) dispatch() {
	for range time.Tick(40 * time.Second) {
		for len(y.out) > 0 {
			<-y.out
		}
	}
}

func Main() {
	kit.Start()
	y := &yard{make(chan int, 2), make(chan int, 2)}
	go y.dispatch()
	for range 3 {
		go y.sort()
	}
	last := newTrack(func(wagon int) { y.gate <- wagon })
	middle := newTrack(func(wagon int) { last.put(wagon) })
	first := newTrack(func(wagon int) { middle.put(wagon) })
	go func() {
		for n := 0; ; n++ {
			first.put(n)
		}
	}()
	kit.Wait()
}

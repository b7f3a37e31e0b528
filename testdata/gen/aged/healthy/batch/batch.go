// Package batch: main hands films to encoders that take half an hour each.
package batch

import (
	"time"
)

type Encoder struct {
	in chan int
	n  int
}

func (e *Encoder) loop() {
	for range e.in {
		e.encode()
	}
}

func (e *Encoder) encode() {
	for range 1800 {
		e.step()
	}
}

func (e *Encoder) step() { time.Sleep(time.Second); e.n++ }

// Main runs it.
func Main() {
	in := make(chan int)
	for range 3 {
		go (&Encoder{in: in}).loop()
	}
	for i := range 100 {
		in <- i
	}
}

// Link-redial sends frames over a line that breaks.
package main

import (
	"errors"
	"log"
	"time"

	"coded/kit"
)

type link struct {
	frames chan int
	broken chan error
}

func newLink() *link {
	l := &link{frames: make(chan int), broken: make(chan error)}
	go l.dial()
	return l
}

func (l *link) dial() {
	for {
		go l.serve()
		log.Print(<-l.broken)
		time.Sleep(12 * time.Minute)
	}
}

func (l *link) serve() {
	for n := 0; n < 3; n++ {
		<-l.frames
	}
	l.broken <- errors.New("line broken")
}

func (l *link) send(n int) { l.frames <- n }

func main() {
	kit.Serve()
	l := newLink()
	for n := 0; n < 9; n++ {
		go l.send(n)
	}
	kit.Wait()
}

// Package bridge joins two message buses.
package bridge

import "time"

type link struct {
	in, out chan []byte
	errs    chan error
}

// Start opens eleven links between buses that have gone away meanwhile.
func Start() {
	for i := 0; i < 11; i++ {
		l := &link{in: make(chan []byte, 1), out: make(chan []byte), errs: make(chan error)}
		l.in <- []byte("hello")
		go func() {
			time.Sleep(5 * time.Millisecond)
			l.forward()
		}()
	}
}

// forward takes a message over to the other bus, or reports that it is broken: nobody is on either side.
func (l *link) forward() {
	message := <-l.in
	select {
	case l.out <- message:
	case l.errs <- nil:
	}
}

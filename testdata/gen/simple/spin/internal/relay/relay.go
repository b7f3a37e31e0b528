// Package relay hands messages on.
package relay

import "time"

// A Relay forwards from in to out.
type Relay struct {
	in, out chan string
	idle    int
}

// New is a relay that nobody sends to.
func New() *Relay {
	return &Relay{in: make(chan string), out: make(chan string, 1)}
}

// Forward asks for a message without waiting for one, for ever.
func (r *Relay) Forward() {
	for {
		select {
		case m := <-r.in:
			r.out <- m
		default:
			r.idle++
		}
	}
}

// ForwardSlowly asks without waiting too, but rests in between.
func (r *Relay) ForwardSlowly() {
	for {
		select {
		case m := <-r.in:
			r.out <- m
		default:
			time.Sleep(50 * time.Millisecond)
		}
	}
}

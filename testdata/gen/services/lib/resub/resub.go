// Package resub subscribes again when a subscription ends.
package resub

import "time"

// A Sub is a subscription that is renewed.
type Sub struct {
	unsub chan chan struct{}
	work  func() bool
}

// Start runs work, again and again while it reports true.
func Start(work func() bool) *Sub {
	s := &Sub{make(chan chan struct{}), work}
	go s.loop()
	return s
}

func (s *Sub) loop() {
	for {
		if !s.work() {
			return
		}
		select {
		case done := <-s.unsub:
			close(done)
			return
		case <-time.After(time.Millisecond):
		}
	}
}

// Unsubscribe ends the subscription.
func (s *Sub) Unsubscribe() {
	done := make(chan struct{})
	s.unsub <- done
	<-done
}

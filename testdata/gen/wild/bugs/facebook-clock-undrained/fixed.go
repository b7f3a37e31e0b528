//go:build fixed

package main

import (
	"time"

	"github.com/facebookgo/clock"
)

// hold waits until the lease is renewed or lost, and takes the clock's word in any case: the clock waits until somebody
// does.
func hold(m *clock.Mock, l lease) {
	ends := m.After(time.Second)
	select {
	case <-ends:
		lost.Add(1)
	case <-l.renewed:
		<-ends
	}
}

//go:build !fixed

package main

import (
	"time"

	"github.com/facebookgo/clock"
)

// hold waits until the lease is renewed or lost.
func hold(m *clock.Mock, l lease) {
	select {
	case <-m.After(time.Second):
		lost.Add(1)
	case <-l.renewed:
	}
}

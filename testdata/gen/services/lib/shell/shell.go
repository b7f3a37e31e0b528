// Package shell runs commands, for a while at most.
package shell

import (
	"errors"
	"time"
)

// Go runs a function beside its caller.
func Go(f func() error) chan error {
	ch := make(chan error)
	go func() {
		ch <- f()
	}()
	return ch
}

// WaitTimeout runs a function until a timeout.
func WaitTimeout(f func() error, timeout time.Duration) error {
	select {
	case err := <-Go(f):
		return err
	case <-time.After(timeout):
		return errors.New("timeout")
	}
}

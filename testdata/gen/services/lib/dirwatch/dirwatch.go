// Package dirwatch polls folders.
package dirwatch

import (
	"errors"
	"time"
)

// A Watcher polls.
type Watcher struct {
	closing chan struct{}
	Scan    func() error
}

// New makes a watcher.
func New(scan func() error) *Watcher { return &Watcher{make(chan struct{}), scan} }

// ErrGone ends a watcher.
var ErrGone = errors.New("gone")

// Start polls until Close.
func (w *Watcher) Start(every time.Duration) error {
	for {
		if err := w.Scan(); err != nil {
			return err
		}
		select {
		case <-w.closing:
			return nil
		case <-time.After(every):
		}
	}
}

// Close ends the watcher.
func (w *Watcher) Close() { w.closing <- struct{}{} }

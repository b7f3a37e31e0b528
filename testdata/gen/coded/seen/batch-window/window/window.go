// Package window collects functions and starts them when its window opens.
package window

import (
	"sync"
	"time"
)

// A Window starts at its time what it was given before.
type Window struct {
	mu    sync.Mutex
	later []func()
}

// Open returns a window that opens after some time.
func Open(after time.Duration) *Window {
	w := &Window{}
	time.AfterFunc(after, w.start)
	return w
}

// Do adds a function.
func (w *Window) Do(f func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.later = append(w.later, f)
}

func (w *Window) start() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, f := range w.later {
		go f()
	}
}

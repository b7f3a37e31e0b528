// Package feature switches features by a stream of changes.
package feature

import "time"

// Flags follow a stream that may be off.
type Flags struct {
	changes chan string
	audit   chan string
	on      map[string]bool
}

// Start follows a stream that was never opened.
func Start() {
	f := &Flags{on: map[string]bool{}}
	go f.follow()
}

// StartAudit records changes for an audit that was never opened, six times.
func StartAudit() {
	for i := 0; i < 6; i++ {
		f := &Flags{on: map[string]bool{}}
		go f.Set("dark-mode", time.Millisecond)
	}
}

func (f *Flags) follow() {
	for name := range f.changes {
		f.on[name] = true
	}
}

// Set switches a feature on after a while, and says so.
func (f *Flags) Set(name string, after time.Duration) {
	time.Sleep(after)
	f.on[name] = true
	f.audit <- name
}

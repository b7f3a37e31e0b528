// Package config reads settings, and reads them again when they change.
package config

import (
	"sync"
	"time"
)

type settings map[string]string

// A Source holds the settings in force.
type Source struct {
	sync.RWMutex
	current settings
}

// Start reloads the settings under the eyes of two readers.
func Start() {
	s := &Source{current: settings{"level": "info"}}
	go s.Reload(settings{"level": "debug"})
	for i := 0; i < 2; i++ {
		go s.poll()
	}
}

// Reload replaces the settings when they differ.
func (s *Source) Reload(next settings) {
	s.Lock()
	defer s.Unlock()
	if same(s.Current(), next) {
		return
	}
	s.current = next
}

// Current is the settings in force.
func (s *Source) Current() settings {
	s.RLock()
	defer s.RUnlock()
	return s.current
}

func (s *Source) poll() {
	for s.Current()["level"] != "off" {
		time.Sleep(10 * time.Millisecond)
	}
}

func same(a, b settings) bool {
	for k := range a {
		if a[k] != b[k] {
			return false
		}
	}
	return len(a) == len(b)
}

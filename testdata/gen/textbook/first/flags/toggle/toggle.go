// Package toggle has feature flags.
package toggle

import (
	"encoding/json"
	"os"
	"sync/atomic"
)

// A Store has flags once they are loaded.
type Store struct {
	ready atomic.Bool
	flags map[string]bool
}

// New has no flags yet.
func New() *Store { return &Store{flags: map[string]bool{}} }

// Load loads the flags.
func (s *Store) Load() error {
	data, err := os.ReadFile("flags.json")
	if err != nil {
		return err
	}
	if err := json.Unmarshal(data, &s.flags); err != nil {
		return err
	}
	s.ready.Store(true)
	return nil
}

// Wait returns when the flags are there.
func (s *Store) Wait() {
	for !s.ready.Load() {
	}
}

// Get is a flag.
func (s *Store) Get(name string) bool {
	s.Wait()
	return s.flags[name]
}

// Package metadata keeps what is known about pods.
package metadata

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type Store struct {
	mu   sync.RWMutex
	pods map[string]int
	flat bool
}

// Update notes a pod.
func (s *Store) Update(pod string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.update(pod)
}

func (s *Store) update(pod string) {
	time.Sleep(3 * time.Millisecond)
	s.pods[pod]++
}

// Refresh notes all pods of a node.
func (s *Store) Refresh(pods []string) {
	if s.flat {
		for _, p := range pods {
			s.Update(p)
		}
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, p := range pods {
		s.Update(p)
	}
}

// Get reads a pod.
func (s *Store) Get(pod string) int {
	s.mu.RLock()
	defer s.mu.RUnlock()
	return s.pods[pod]
}

func Main(fixed bool) {
	kit.Start()
	s := &Store{pods: map[string]int{}, flat: fixed}
	for range 3 {
		go func() {
			for {
				s.Get("a")
				time.Sleep(time.Millisecond)
			}
		}()
		if !fixed {
			continue
		}
		go func() {
			for {
				s.Refresh([]string{"a", "b", "c"})
			}
		}()
	}
	time.Sleep(time.Second)
	for {
		s.Refresh([]string{"a", "b"})
	}
}

// Package supervisor starts and stops containers.
package supervisor

import "sync"

type container struct{ id, state string }

// A Supervisor knows the containers of a pod.
type Supervisor struct {
	mu         sync.Mutex
	containers map[string]*container
	stopped    int
}

// Start stops one container, and lists all of them at the same time.
func Start() {
	s := &Supervisor{containers: map[string]*container{"c1": {"c1", "running"}}}
	go func() { s.Stop("c1") }()
	for i := 0; i < 2; i++ {
		go s.stats()
	}
}

// Stop stops a container, and counts it in the end.
func (s *Supervisor) Stop(id string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	defer func() { // runs before the lock is let go
		s.mu.Lock()
		s.stopped++
		s.mu.Unlock()
	}()
	s.containers[id].state = "stopped"
}

func (s *Supervisor) stats() {
	for {
		s.mu.Lock()
		n := s.stopped
		s.mu.Unlock()
		if n > 100 {
			return
		}
	}
}

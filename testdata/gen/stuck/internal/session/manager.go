// Package session opens database sessions.
package session

import (
	"errors"
	"sync"
	"time"
)

var errRefused = errors.New("refused")

// A Manager limits the sessions of each user.
type Manager struct {
	mu    sync.Mutex
	open  map[string]int
	limit int
}

// Start lets clients open and close sessions, one more than a user may have.
func Start() {
	m := &Manager{open: map[string]int{}, limit: 3}
	for i := 0; i < 4; i++ {
		m.Open("reports")
	}
	for i := 0; i < 9; i++ {
		go handle(m, "reports")
	}
	go m.expire()
}

// Open opens a session.
func (m *Manager) Open(user string) error {
	m.mu.Lock()
	if m.open[user] >= m.limit {
		return errRefused // with the lock held
	}
	m.open[user]++
	m.mu.Unlock()
	return nil
}

// Close closes a session.
func (m *Manager) Close(user string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.open[user]--
}

func handle(m *Manager, user string) {
	if m.Open(user) == nil {
		defer m.Close(user)
		time.Sleep(time.Millisecond)
	}
}

func (m *Manager) expire() {
	for {
		time.Sleep(20 * time.Millisecond)
		m.Close("nobody")
	}
}

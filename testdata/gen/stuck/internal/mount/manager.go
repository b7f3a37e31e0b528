// Package mount mounts volumes, one operation at a time for each target.
package mount

import (
	"sync"
	"time"
)

// A Manager has a lock for each target, and one for the map of them.
type Manager struct {
	mu     sync.Mutex
	locks  map[string]*sync.Mutex
	mounts map[string]string
}

// Start mounts and unmounts one target, and four others.
func Start() {
	m := &Manager{locks: map[string]*sync.Mutex{}, mounts: map[string]string{}}
	go m.Mount("/data", "vol-1")
	go m.Unmount("/data")
	for _, target := range []string{"/logs", "/tmp", "/etc/keys", "/srv"} {
		go func(target string) {
			time.Sleep(80 * time.Millisecond)
			m.Mount(target, "vol-2")
		}(target)
	}
}

func (m *Manager) lockFor(target string) *sync.Mutex {
	if m.locks[target] == nil {
		m.locks[target] = new(sync.Mutex)
	}
	return m.locks[target]
}

// Mount mounts a volume at a target.
func (m *Manager) Mount(target, volume string) {
	m.mu.Lock()
	lock := m.lockFor(target)
	m.mu.Unlock()
	lock.Lock()
	defer lock.Unlock()
	time.Sleep(40 * time.Millisecond)
	m.record(target, volume)
}

func (m *Manager) record(target, volume string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mounts[target] = volume
}

// Unmount unmounts a target, and forgets its lock.
func (m *Manager) Unmount(target string) {
	time.Sleep(20 * time.Millisecond)
	m.mu.Lock()
	defer m.mu.Unlock()
	lock := m.lockFor(target)
	lock.Lock()
	defer lock.Unlock()
	delete(m.mounts, target)
	delete(m.locks, target)
}

// Package devices shares folders with devices.
package devices

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type Model struct {
	folders sync.RWMutex
	peers   sync.RWMutex
	shared  map[int]int
	online  map[int]bool
	ordered bool
}

// Index takes an index from a device.
func (m *Model) Index(device int) int {
	m.folders.RLock()
	defer m.folders.RUnlock()
	time.Sleep(500 * time.Microsecond)
	return m.shared[device] + m.state(device)
}

func (m *Model) state(device int) int {
	m.peers.RLock()
	defer m.peers.RUnlock()
	if m.online[device] {
		return 1
	}
	return 0
}

// Completion is how much a device has.
func (m *Model) Completion(device int) int {
	if m.ordered {
		n := m.share(device)
		m.peers.RLock()
		defer m.peers.RUnlock()
		return n
	}
	m.peers.RLock()
	defer m.peers.RUnlock()
	time.Sleep(500 * time.Microsecond)
	return m.share(device)
}

func (m *Model) share(device int) int {
	m.folders.RLock()
	defer m.folders.RUnlock()
	return m.shared[device]
}

// Closed notes that a device is away.
func (m *Model) Closed(device int) {
	m.peers.Lock()
	defer m.peers.Unlock()
	time.Sleep(500 * time.Microsecond)
	m.online[device] = false
}

// Remove removes a device's folders.
func (m *Model) Remove(device int) {
	m.folders.Lock()
	defer m.folders.Unlock()
	time.Sleep(500 * time.Microsecond)
	delete(m.shared, device)
}

func Main(fixed bool) {
	kit.Start()
	m := &Model{shared: map[int]int{}, online: map[int]bool{}, ordered: fixed}
	forever := func(f func(int)) {
		for n := 0; ; n++ {
			f(n % 9)
		}
	}
	for range 3 {
		go forever(func(n int) { m.Index(n) })
		go forever(func(n int) { m.Completion(n) })
	}
	go forever(m.Remove)
	forever(m.Closed)
}

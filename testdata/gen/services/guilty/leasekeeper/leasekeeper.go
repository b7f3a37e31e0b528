// Package leasekeeper keeps leases alive by timers.
package leasekeeper

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type Lease struct {
	mu      sync.Mutex
	timer   *time.Timer
	running sync.WaitGroup
	renewed int
}

func (l *Lease) arm() {
	l.running.Add(1)
	l.timer = time.AfterFunc(100*time.Millisecond, l.renew)
}

func (l *Lease) renew() {
	defer l.running.Done()
	time.Sleep(50 * time.Millisecond)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.renewed++
	l.arm()
}

// Revoke ends a lease; no renewal runs afterwards.
func (l *Lease) Revoke() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.timer.Stop() {
		l.running.Wait()
	}
}

func Main() {
	kit.Start()
	leases := make([]*Lease, 30)
	for i := range leases {
		leases[i] = &Lease{}
		leases[i].arm()
		time.Sleep(7 * time.Millisecond)
	}
	time.Sleep(3 * time.Second)
	for i := 0; ; i++ {
		l := leases[i%len(leases)]
		l.Revoke()
		l.arm()
		time.Sleep(20 * time.Millisecond)
	}
}

// Package rollout writes settings to hosts.
package rollout

import (
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// Host is where settings go.
type Host struct {
	Name     string
	Cordoned bool
}

// Rollout writes settings.
type Rollout struct {
	mu      sync.Mutex
	serial  map[string]int
	applied atomic.Int64
}

// New returns a rollout.
func New() *Rollout { return &Rollout{serial: map[string]int{}} }

// Applied is how often settings were written.
func (r *Rollout) Applied() int64 { return r.applied.Load() }

// Probe notes that a host is there.
func (r *Rollout) Probe(host string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.serial[host] += 0
}

// Apply writes settings to all hosts that are not cordoned.
func (r *Rollout) Apply(serial int, hosts []Host) error {
	var (
		wg   sync.WaitGroup
		errs = make([]error, len(hosts))
	)
	wg.Add(len(hosts))
	for i, h := range hosts {
		if h.Cordoned {
			continue
		}
		go func() {
			defer wg.Done()
			errs[i] = r.write(serial, h)
		}()
	}
	wg.Wait()
	return errors.Join(errs...)
}

func (r *Rollout) write(serial int, h Host) error {
	time.Sleep(30 * time.Millisecond)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.serial[h.Name] = serial
	r.applied.Add(1)
	return nil
}

// Package fleet looks after many machines.
package fleet

import (
	"sync"
	"time"
)

// A Fleet is a set of machines.
type Fleet struct {
	mu       sync.RWMutex
	machines map[string]int
}

// Start scores machines while one joins.
func Start() {
	f := &Fleet{machines: map[string]int{"m1": 4, "m2": 8}}
	go score(f)
	go join(f, "m3")
	go func() {
		time.Sleep(90 * time.Millisecond)
		f.Each(func(string, int) {})
	}()
}

// Each calls a function for each machine.
func (f *Fleet) Each(visit func(name string, cores int)) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	for name, cores := range f.machines {
		visit(name, cores)
	}
}

// Total is the number of cores.
func (f *Fleet) Total() int {
	f.mu.RLock()
	defer f.mu.RUnlock()
	n := 0
	for _, cores := range f.machines {
		n += cores
	}
	return n
}

func score(f *Fleet) map[string]float64 {
	shares := map[string]float64{}
	f.Each(func(name string, cores int) {
		time.Sleep(40 * time.Millisecond)
		shares[name] = float64(cores) / float64(f.Total())
	})
	return shares
}

func join(f *Fleet, name string) {
	time.Sleep(20 * time.Millisecond)
	f.mu.Lock()
	f.machines[name] = 16
	f.mu.Unlock()
}

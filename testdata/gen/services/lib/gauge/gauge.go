// Package gauge collects figures.
package gauge

import "sync"

type Collector interface{ Collect(out map[string]float64) }

type Registry struct {
	mtx        sync.Mutex
	collectors map[string]Collector
}

func NewRegistry() *Registry { return &Registry{collectors: map[string]Collector{}} }

func (r *Registry) Register(name string, c Collector) {
	r.mtx.Lock()
	defer r.mtx.Unlock()
	r.collectors[name] = c
}

// Gather asks all collectors.
func (r *Registry) Gather() map[string]float64 {
	r.mtx.Lock()
	defer r.mtx.Unlock()
	out := map[string]float64{}
	for _, c := range r.collectors {
		c.Collect(out)
	}
	return out
}

package loader

import (
	"sync"
	"time"
)

// A Registry has a default set of drivers, which is built once.
type Registry struct {
	mu      sync.Mutex
	once    sync.Once
	drivers map[string]bool
}

// StartRegistry registers a driver while another goroutine asks for the default set.
func StartRegistry() {
	r := &Registry{drivers: map[string]bool{}}
	go r.Defaults()
	go r.Register("overlay")
}

// Defaults builds the default set when it is first asked for.
func (r *Registry) Defaults() {
	r.once.Do(r.build)
}

func (r *Registry) build() {
	time.Sleep(20 * time.Millisecond)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.drivers["native"] = true
}

// Register adds a driver to the default set.
func (r *Registry) Register(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	time.Sleep(10 * time.Millisecond)
	r.Defaults()
	r.drivers[name] = true
}

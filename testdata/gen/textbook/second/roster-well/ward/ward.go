// Package ward is a ward's beds.
package ward

import (
	"sync"
	"time"
)

// A Patient lies in a bed.
type Patient struct {
	Bed   int
	Since time.Time
}

// A Ward is safe for concurrent use.
type Ward struct {
	name string
	mu   sync.Mutex
	beds map[int]Patient
}

// New is an empty ward.
func New(name string) *Ward { return &Ward{name: name, beds: make(map[int]Patient)} }

// Admit gives p a bed.
func (w *Ward) Admit(p Patient) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.beds[p.Bed] = p
}

// Discharge clears a bed.
func (w *Ward) Discharge(bed int) {
	w.mu.Lock()
	delete(w.beds, bed)
	w.mu.Unlock()
}

// Each calls f for all patients, until it returns false.
func (w *Ward) Each(f func(Patient) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, p := range w.beds {
		if !f(p) {
			return
		}
	}
}

// Package ring keeps the last things.
package ring

import "sync"

// A Ring drops the oldest when it is full.
type Ring[T any] struct {
	mu    sync.Mutex
	items []T
	size  int
}

// New keeps size things.
func New[T any](size int) *Ring[T] { return &Ring[T]{size: size} }

// Put adds one.
func (r *Ring[T]) Put(v T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.items) == r.size {
		r.items = r.items[1:]
	}
	r.items = append(r.items, v)
}

// Take takes all.
func (r *Ring[T]) Take() []T {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.items
	r.items = nil
	return all
}

// Len is how many there are.
func (r *Ring[T]) Len() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.items)
}

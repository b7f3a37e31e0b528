package registry

import "sync"

type Registry[K comparable, V any] struct {
	sync.RWMutex
	entries map[K]V
	onSet   []func(K)
}

func New[K comparable, V any]() *Registry[K, V] { return &Registry[K, V]{entries: map[K]V{}} }

func (r *Registry[K, V]) OnSet(f func(K)) { r.onSet = append(r.onSet, f) }

func (r *Registry[K, V]) Get(k K) (V, bool) {
	r.RLock() // GUILTY
	defer r.RUnlock()
	v, ok := r.entries[k]
	return v, ok
}

func (r *Registry[K, V]) Set(k K, v V) {
	r.Lock()
	defer r.Unlock()
	r.entries[k] = v
	for _, f := range r.onSet {
		f(k) // GUILTY
	}
}

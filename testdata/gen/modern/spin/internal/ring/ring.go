// Package ring is a bounded buffer of any type.
package ring

import (
	"runtime"
	"sync/atomic"
)

// A Ring holds up to its capacity.
type Ring[T any] struct {
	slots []T
	used  int32
}

// New is a ring of n slots.
func New[T any](n int) *Ring[T] { return &Ring[T]{slots: make([]T, n)} }

// Push waits for a free slot by yielding.
func (r *Ring[T]) Push(v T) {
	for int(atomic.LoadInt32(&r.used)) >= len(r.slots) {
		runtime.Gosched()
	}
	r.slots[atomic.AddInt32(&r.used, 1)-1] = v
}

// Drain waits until f accepts an element, without a rest. F is a type parameter of a function.
func Drain[T any, F ~func(T) bool](r *Ring[T], f F) {
	for !f(r.slots[0]) {
	}
}

// Package spinlock is a lock for those who do not want to wait in line.
package spinlock

import "sync/atomic"

// A Lock is free when it is zero.
type Lock struct {
	held uint32
}

// Acquire tries until it gets the lock.
func (l *Lock) Acquire() {
	for !atomic.CompareAndSwapUint32(&l.held, 0, 1) {
	}
}

// Release lets go.
func (l *Lock) Release() { atomic.StoreUint32(&l.held, 0) }

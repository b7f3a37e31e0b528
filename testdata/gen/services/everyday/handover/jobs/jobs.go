// Package jobs runs jobs one by one for each key: who submits one takes the key's lock, the worker that ends it
// releases the lock.
package jobs

import (
	"github.com/moby/locker"
	"github.com/panjf2000/ants/v2"
)

// Runner runs jobs.
type Runner struct {
	keys *locker.Locker
	pool *ants.Pool
}

// New returns a runner with so many workers.
func New(workers int) (*Runner, error) {
	pool, err := ants.NewPool(workers)
	return &Runner{locker.New(), pool}, err
}

// Submit waits until no job of that key runs, and starts one.
func (r *Runner) Submit(key string, job func()) error {
	r.keys.Lock(key)
	return r.pool.Submit(func() {
		defer r.keys.Unlock(key)
		job()
	})
}

package quota

import "sync"

type Quota struct {
	mu   sync.Mutex
	cond *sync.Cond
	free int
}

func New(n int) *Quota {
	q := &Quota{free: n}
	q.cond = sync.NewCond(&q.mu)
	return q
}

func (q *Quota) Take(n int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for q.free < n {
		q.cond.Wait() // GUILTY
	}
	q.free -= n
}

// Give returns n, and wakes nobody.
func (q *Quota) Give(n int) {
	q.mu.Lock()
	q.free += n
	q.mu.Unlock()
}

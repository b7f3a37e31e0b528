// Package queue is a queue with bounds.
package queue

import "sync"

// A Queue holds jobs in order.
type Queue struct {
	mu       sync.Mutex
	notEmpty *sync.Cond
	notFull  *sync.Cond
	most     int
	jobs     [][]byte
	closed   bool
}

// New returns a Queue for most jobs.
func New(most int) *Queue {
	q := &Queue{most: most}
	q.notEmpty, q.notFull = sync.NewCond(&q.mu), sync.NewCond(&q.mu)
	return q
}

// Put waits for room. It returns false when the queue is closed.
func (q *Queue) Put(job []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == q.most && !q.closed {
		q.notFull.Wait()
	}
	if q.closed {
		return false
	}
	q.jobs = append(q.jobs, job)
	q.notEmpty.Signal()
	return true
}

// Take waits for a job. It returns false when the queue is closed.
func (q *Queue) Take() ([]byte, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.jobs) == 0 && !q.closed {
		q.notEmpty.Wait()
	}
	if q.closed {
		return nil, false
	}
	job := q.jobs[0]
	q.jobs = q.jobs[1:]
	q.notFull.Signal()
	return job, true
}

// Close ends all waits.
func (q *Queue) Close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closed = true
	q.notEmpty.Broadcast()
	q.notFull.Broadcast()
}

// Package queue hands jobs to workers. Its tests hang on purpose: the driver runs each by name.
package queue

import (
	"sync"
	"time"
)

// A Queue numbers jobs.
type Queue struct {
	mu      sync.Mutex
	done    int
	jobs    chan int
	results chan int
	slots   chan struct{}
	workers sync.WaitGroup
}

// New has n workers.
func New(n int) *Queue {
	q := &Queue{jobs: make(chan int), results: make(chan int), slots: make(chan struct{}, 1)}
	for i := 0; i < n; i++ {
		q.workers.Add(1)
		go q.work()
	}
	return q
}

func (q *Queue) work() {
	defer q.workers.Done()
	for job := range q.jobs {
		time.Sleep(10 * time.Millisecond)
		q.finish(job)
	}
}

func (q *Queue) finish(int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.done++
}

// Submit hands a job over.
func (q *Queue) Submit(job int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.jobs <- job
}

// Close waits for the workers.
func (q *Queue) Close() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	close(q.jobs)
	q.workers.Wait()
	return q.done
}

// Do runs a job in the queue's only slot.
func (q *Queue) Do(job func()) {
	q.slots <- struct{}{}
	defer func() { <-q.slots }()
	job()
}

// Pause lets nobody run while f does.
func (q *Queue) Pause(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.Do(f)
}

// Peek waits for the next result.
func (q *Queue) Peek() int {
	q.mu.Lock()
	defer q.mu.Unlock()
	return <-q.results
}

// Report reports a result.
func (q *Queue) Report(result int) {
	q.finish(result)
	q.results <- result
}

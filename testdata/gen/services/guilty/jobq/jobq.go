// Package jobq is a queue that ends when all that was taken is done.
package jobq

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type Queue struct {
	mu       sync.Mutex
	changed  *sync.Cond
	items    []int
	taken    int
	draining bool
}

func New() *Queue {
	q := &Queue{}
	q.changed = sync.NewCond(&q.mu)
	return q
}

func (q *Queue) Add(item int) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.items = append(q.items, item)
	q.changed.Signal()
}

func (q *Queue) Get() (int, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 && !q.draining {
		q.changed.Wait()
	}
	if len(q.items) == 0 {
		return 0, false
	}
	item := q.items[0]
	q.items, q.taken = q.items[1:], q.taken+1
	return item, true
}

func (q *Queue) Done() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.taken--
	q.changed.Broadcast()
}

// Drain returns when nothing is queued or taken.
func (q *Queue) Drain() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.draining = true
	q.changed.Broadcast()
	for q.taken > 0 {
		q.changed.Wait()
	}
}

func work(q *Queue) {
	for {
		item, ok := q.Get()
		if !ok {
			return
		}
		if item%17 == 0 {
			continue
		}
		q.Done()
	}
}

func Main() {
	kit.Start()
	q := New()
	for range 8 {
		go work(q)
	}
	for i := range 200 {
		q.Add(i)
		time.Sleep(5 * time.Millisecond)
	}
	q.Drain()
	kit.Wait()
}

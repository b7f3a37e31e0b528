package open

import (
	"container/heap"
	"sync"
)

// A pool runs tasks on a fixed number of goroutines, always the one that comes first in the inputs: what a nested
// archive holds is read before the next one is opened.
type pool struct {
	mu    sync.Mutex
	cond  *sync.Cond
	tasks taskHeap
	over  bool // no more tasks come
	// pending counts what all pools of one Walk have not done yet.
	pending *sync.WaitGroup
}

type task struct {
	at  Order
	run func()
}

func newPool(p *sync.WaitGroup) *pool {
	q := &pool{pending: p}
	q.cond = sync.NewCond(&q.mu)
	return q
}

// add is called by tasks, or before wait.
func (q *pool) add(at Order, run func()) {
	q.pending.Add(1)
	q.mu.Lock()
	defer q.mu.Unlock()
	heap.Push(&q.tasks, task{at, run})
	q.cond.Signal()
}

// work runs tasks until the pool is closed.
func (q *pool) work() {
	for {
		q.mu.Lock()
		for len(q.tasks) == 0 && !q.over {
			q.cond.Wait()
		}
		if len(q.tasks) == 0 {
			q.mu.Unlock()
			return
		}
		t := heap.Pop(&q.tasks).(task)
		q.mu.Unlock()
		t.run()
		q.pending.Done()
	}
}

// close ends the workers once the tasks are done.
func (q *pool) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.over = true
	q.cond.Broadcast()
}

type taskHeap []task

func (h taskHeap) Len() int { return len(h) }

func (h taskHeap) Less(i, j int) bool { return h[i].at.Compare(h[j].at) < 0 }

func (h taskHeap) Swap(i, j int) { h[i], h[j] = h[j], h[i] }

func (h *taskHeap) Push(x any) { *h = append(*h, x.(task)) }

func (h *taskHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	old[len(old)-1] = task{}
	*h = old[:len(old)-1]
	return last
}

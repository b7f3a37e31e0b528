// Event-queue holds events until somebody has time for them.
package main

import (
	"log"
	"sync"
	"time"

	"coded/kit"
)

type queue[T any] struct {
	mu    sync.Mutex
	more  *sync.Cond
	items []T
}

func newQueue[T any]() *queue[T] {
	q := &queue[T]{}
	q.more = sync.NewCond(&q.mu)
	return q
}

func (q *queue[T]) put(item T) {
	q.mu.Lock()
	q.items = append(q.items, item)
	q.mu.Unlock()
	q.more.Signal()
}

func (q *queue[T]) take() T {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.items) == 0 {
		q.more.Wait()
	}
	item := q.items[0]
	q.items = q.items[1:]
	return item
}

func main() {
	kit.Serve()
	q := newQueue[string]()
	for n := 0; n < 7; n++ {
		go func() {
			for {
				log.Print(q.take())
			}
		}()
	}
	for {
		time.Sleep(25 * time.Minute)
		q.put("event")
	}
}

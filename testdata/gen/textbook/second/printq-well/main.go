// A printer takes documents from a queue, and waits at the queue's condition while it is empty.
package main

import (
	"fmt"
	"io"
	"sync"
	"time"

	"example.com/textbook/kit"
)

type queue[T any] struct {
	mu   sync.Mutex
	some *sync.Cond
	docs []T
}

func (q *queue[T]) push(d T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.docs = append(q.docs, d)
	q.some.Signal()
}

func (q *queue[T]) pop() (d T, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.docs) == 0 {
		q.some.Wait()
	}
	d, q.docs = q.docs[0], q.docs[1:]
	return d, true
}

type printer struct {
	*queue[string]
	out io.Writer
}

func (p printer) run() {
	for {
		doc, ok := p.pop()
		if !ok {
			continue
		}
		fmt.Fprintf(p.out, "\f%s\n", doc)
		time.Sleep(50 * time.Millisecond)
	}
}

func main() {
	kit.Start()
	var q queue[string]
	q.some = sync.NewCond(&q.mu)
	go printer{&q, io.Discard}.run()
	for n := 0; ; n++ {
		q.push(fmt.Sprintf("letter %d", n))
		time.Sleep(time.Second)
	}
}

// A printer polls a queue of documents under the queue's mutex, and comes back at once when the queue is empty.
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
	docs []T
}

func (q *queue[T]) push(d T) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.docs = append(q.docs, d)
}

func (q *queue[T]) pop() (d T, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.docs) == 0 {
		return d, false
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
	go printer{&q, io.Discard}.run()
	for n := 0; ; n++ {
		q.push(fmt.Sprintf("letter %d", n))
		time.Sleep(time.Second)
	}
}

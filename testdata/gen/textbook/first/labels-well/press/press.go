// Package press prints labels.
package press

import (
	"context"
	"sync"
	"time"
)

// A Queue has labels that wait.
type Queue struct {
	mu     sync.Mutex
	labels []string
}

// Push adds a label.
func (q *Queue) Push(label string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.labels = append(q.labels, label)
}

// Pop takes the oldest label; there may be none.
func (q *Queue) Pop() (string, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.labels) == 0 {
		return "", false
	}
	label := q.labels[0]
	q.labels = q.labels[1:]
	return label, true
}

// A Printer prints what is in a queue.
type Printer struct {
	queue   *Queue
	printed int
}

// NewPrinter prints labels of a queue.
func NewPrinter(q *Queue) *Printer { return &Printer{queue: q} }

// Run prints until the shop closes.
func (p *Printer) Run(ctx context.Context) {
	for ctx.Err() == nil {
		label, ok := p.queue.Pop()
		if !ok {
			time.Sleep(20 * time.Millisecond)
			continue
		}
		p.printed += len(label)
	}
}

// Package oncall knows who is on call.
package oncall

import (
	"context"
	"strconv"
	"sync"
	"time"
)

// A Rota is a list of engineers who take turns.
type Rota struct {
	mu      sync.Mutex
	turn    int
	pages   int
	answers map[string]chan time.Time
	slowest time.Duration
}

// NewRota has two engineers.
func NewRota() *Rota { return &Rota{answers: map[string]chan time.Time{}} }

// Rotate changes turns.
func (r *Rota) Rotate(ctx context.Context, every time.Duration) {
	t := time.NewTicker(every)
	defer t.Stop()
	for {
		select {
		case <-t.C:
			r.mu.Lock()
			r.turn = (r.turn + 1) % 2
			r.mu.Unlock()
		case <-ctx.Done():
			return
		}
	}
}

// Page calls who is on call and returns the page's id.
func (r *Rota) Page(what string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.pages++
	id := strconv.Itoa(r.pages)
	answer := make(chan time.Time, 1)
	r.answers[id] = answer
	go r.Await(context.Background(), answer)
	return id
}

// Await notes how long the answer took.
func (r *Rota) Await(ctx context.Context, answer <-chan time.Time) {
	start := time.Now()
	select {
	case at := <-answer:
		r.mu.Lock()
		r.slowest = max(r.slowest, at.Sub(start))
		r.mu.Unlock()
	case <-ctx.Done():
	}
}

// Answer is how an engineer answers.
func (r *Rota) Answer(id string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	answer, ok := r.answers[id]
	if ok {
		answer <- time.Now()
		delete(r.answers, id)
	}
	return ok
}

// Package broker hands messages to subscriptions.
package broker

import (
	"sync"
	"time"
)

// A Topic has subscriptions.
type Topic struct {
	mu   sync.RWMutex
	subs map[*Subscription]bool
	seq  int
}

// A Subscription holds what was not yet read.
type Subscription struct {
	mu      sync.Mutex
	topic   *Topic
	backlog []int
}

// Start publishes while a subscription ends.
func Start() {
	t := &Topic{subs: map[*Subscription]bool{}}
	s := &Subscription{topic: t}
	t.subs[s] = true
	go s.Cancel()
	go t.Publish()
	for i := 0; i < 10; i++ {
		go func() {
			time.Sleep(70 * time.Millisecond)
			t.Size()
		}()
	}
}

// Publish hands a message to all subscriptions.
func (t *Topic) Publish() {
	t.mu.RLock()
	defer t.mu.RUnlock()
	time.Sleep(20 * time.Millisecond)
	for s := range t.subs {
		s.push(t.seq)
	}
}

// Size is the number of subscriptions.
func (t *Topic) Size() int {
	t.mu.RLock()
	defer t.mu.RUnlock()
	return len(t.subs)
}

func (t *Topic) drop(s *Subscription) {
	t.mu.Lock()
	defer t.mu.Unlock()
	delete(t.subs, s)
}

func (s *Subscription) push(n int) {
	s.mu.Lock()
	s.backlog = append(s.backlog, n)
	s.mu.Unlock()
}

// Cancel ends a subscription.
func (s *Subscription) Cancel() {
	s.mu.Lock()
	defer s.mu.Unlock()
	time.Sleep(30 * time.Millisecond)
	s.backlog = nil
	s.topic.drop(s)
}

// Package broker hands events to those who subscribed to a topic. Nobody misses one: publishing waits.
package broker

import "sync"

// An Event is something that happened.
type Event struct{ Number int }

// A Broker knows topics.
type Broker struct {
	mu     sync.Mutex
	topics map[string]*topic
}

type topic struct {
	mu          sync.RWMutex
	subscribers map[<-chan Event]chan Event
}

// New returns a Broker without topics.
func New() *Broker { return &Broker{topics: map[string]*topic{}} }

func (b *Broker) topic(name string) *topic {
	b.mu.Lock()
	defer b.mu.Unlock()
	t, ok := b.topics[name]
	if !ok {
		t = &topic{subscribers: map[<-chan Event]chan Event{}}
		b.topics[name] = t
	}
	return t
}

// Subscribe returns a channel that gets all events of a topic until Unsubscribe.
func (b *Broker) Subscribe(name string) <-chan Event {
	t := b.topic(name)
	events := make(chan Event, 2)
	t.mu.Lock()
	defer t.mu.Unlock()
	t.subscribers[events] = events
	return events
}

// Unsubscribe closes the channel. Who reads from it goes on until it is closed.
func (b *Broker) Unsubscribe(name string, events <-chan Event) {
	t := b.topic(name)
	t.mu.Lock()
	defer t.mu.Unlock()
	close(t.subscribers[events])
	delete(t.subscribers, events)
}

// Publish returns when all subscribers have room for the event.
func (b *Broker) Publish(name string, e Event) {
	t := b.topic(name)
	t.mu.RLock()
	defer t.mu.RUnlock()
	for _, events := range t.subscribers {
		events <- e
	}
}

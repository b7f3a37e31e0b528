// Package eventbus hands events to handlers by topic.
package eventbus

import "sync"

type Handler func(topic string, event any)

type Bus struct {
	mu       sync.RWMutex
	handlers map[string]map[int]Handler
	last     int
}

func New() *Bus { return &Bus{handlers: map[string]map[int]Handler{}} }

// Subscribe adds a handler and returns what removes it.
func (b *Bus) Subscribe(topic string, h Handler) (cancel func()) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.last++
	id := b.last
	if b.handlers[topic] == nil {
		b.handlers[topic] = map[int]Handler{}
	}
	b.handlers[topic][id] = h
	return func() { b.remove(topic, id) }
}

func (b *Bus) remove(topic string, id int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	delete(b.handlers[topic], id)
}

// Publish calls the handlers of a topic.
func (b *Bus) Publish(topic string, event any) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	for _, h := range b.handlers[topic] {
		h(topic, event)
	}
}

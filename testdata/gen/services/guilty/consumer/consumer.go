// Package consumer reads partitions of a topic and commits what it has handled.
package consumer

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type Member struct {
	mu         sync.Mutex
	inflight   sync.WaitGroup
	offset     int
	generation int
	messages   chan int
}

// rebalance waits until nothing is being handled and joins the next generation.
func (m *Member) rebalance() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inflight.Wait()
	m.generation++
}

func (m *Member) handle(offset int) {
	defer m.inflight.Done()
	time.Sleep(30 * time.Millisecond)
	m.commit(offset)
}

func (m *Member) commit(offset int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.offset = max(m.offset, offset)
}

func (m *Member) poll() {
	for offset := range m.messages {
		m.inflight.Add(1)
		go m.handle(offset)
	}
}

func (m *Member) heartbeat() {
	for range time.Tick(500 * time.Millisecond) {
		m.mu.Lock()
		_ = m.generation
		m.mu.Unlock()
	}
}

func Main() {
	kit.Start()
	m := &Member{messages: make(chan int)}
	go m.poll()
	go m.heartbeat()
	go func() {
		for i := range 500 {
			m.messages <- i
			time.Sleep(10 * time.Millisecond)
		}
	}()
	time.Sleep(3 * time.Second)
	m.rebalance()
}

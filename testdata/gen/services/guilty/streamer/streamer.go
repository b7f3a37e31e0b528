// Package streamer sends positions of ships; a stream can be closed from outside.
package streamer

import (
	"sync"
	"time"

	"example.com/services/kit"
)

type Stream struct {
	mu     sync.Mutex
	last   int
	closed bool
	quit   chan struct{}
	done   chan struct{}
}

func Open() *Stream {
	s := &Stream{quit: make(chan struct{}), done: make(chan struct{})}
	go s.loop()
	return s
}

func (s *Stream) loop() {
	defer close(s.done)
	for {
		select {
		case <-s.quit:
			return
		case <-time.After(20 * time.Millisecond):
		}
		s.update()
	}
}

func (s *Stream) update() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.last++
}

// Close ends the stream and returns once nothing is sent any more.
func (s *Stream) Close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.closed = true
	time.Sleep(40 * time.Millisecond) // the last position is on its way
	close(s.quit)
	<-s.done
}

func Main() {
	kit.Start()
	streams := make([]*Stream, 40)
	for i := range streams {
		streams[i] = Open()
	}
	time.Sleep(3 * time.Second)
	for _, s := range streams[:6] {
		go s.Close()
	}
	kit.Wait()
}

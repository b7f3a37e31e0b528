// Package wsession keeps sessions with clients; a session ends at the first bad message.
package wsession

import (
	"errors"
	"sync"
	"time"

	"example.com/services/kit"
)

type Session struct {
	wg   sync.WaitGroup
	in   chan []byte
	done chan struct{}
	once sync.Once
	slow bool
}

func Open(slow bool) *Session {
	s := &Session{in: make(chan []byte), done: make(chan struct{}), slow: slow}
	s.wg.Add(1)
	go s.read()
	return s
}

func (s *Session) read() {
	defer s.wg.Done()
	for {
		select {
		case m := <-s.in:
			if err := s.message(m); err != nil {
				if s.slow {
					time.Sleep(3 * time.Second) // tells the client
					return
				}
				s.Close()
				return
			}
		case <-s.done:
			return
		}
	}
}

func (s *Session) message(m []byte) error {
	if len(m) == 0 {
		return errors.New("empty")
	}
	return nil
}

// Close ends the session.
func (s *Session) Close() {
	s.once.Do(func() { close(s.done) })
	s.wg.Wait()
}

func Main(fixed bool) {
	kit.Start()
	for n := 0; ; n++ {
		s := Open(fixed)
		s.in <- []byte("hello")
		if n < 8 || fixed {
			s.in <- nil
		}
		if fixed {
			go s.Close()
		} else if n >= 8 {
			s.Close()
		}
		time.Sleep(500 * time.Millisecond)
	}
}

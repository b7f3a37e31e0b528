// Package logsink writes log lines through one writer.
package logsink

import (
	"errors"
	"io"
	"sync"
)

// A Sink serialises lines.
type Sink struct {
	mu    sync.Mutex
	out   io.Writer
	buf   []byte
	fatal func(error)
}

type brokenPipe struct{}

func (brokenPipe) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

// Start writes from many goroutines into a pipe that is broken.
func Start() {
	s := &Sink{out: brokenPipe{}}
	s.fatal = func(error) { s.Sync() }
	for i := 0; i < 30; i++ {
		go request(s, "served")
	}
}

func request(s *Sink, line string) {
	for {
		s.Print(line)
	}
}

// Print writes a line.
func (s *Sink) Print(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.buf = append(s.buf[:0], line...)
	if _, err := s.out.Write(s.buf); err != nil {
		s.exit(err)
	}
}

// exit is the way out when nothing can be written.
func (s *Sink) exit(err error) { s.fatal(err) }

// Sync writes what is left.
func (s *Sink) Sync() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.out.Write(s.buf)
}

package fetch

import (
	"errors"
	"io"
	"os"
)

var errTooLarge = errors.New("the answer is larger than --max-bytes")

// A sink is the file of an answer. It accepts at most max bytes, and remembers why it stopped.
type sink struct {
	f       *os.File
	n       int64
	max     int64
	head    []byte // the first bytes, to recognise a web page
	full    bool
	diskErr error // of writing the file
}

const sinkHead = 64

func newSink(path string, limit int64) (*sink, error) {
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, fileMode)
	if err != nil {
		return nil, err
	}
	return &sink{f: f, max: limit}, nil
}

func (s *sink) Write(p []byte) (int, error) {
	if s.full {
		return 0, errTooLarge
	}
	over := int64(len(p)) > s.max-s.n
	if over {
		p = p[:s.max-s.n]
		s.full = true
	}
	if len(s.head) < sinkHead {
		s.head = append(s.head, p[:min(len(p), sinkHead-len(s.head))]...)
	}
	n, err := s.f.Write(p)
	s.n += int64(n)
	if err != nil {
		s.diskErr = err
		return n, err
	}
	if over {
		return n, errTooLarge
	}
	return n, nil
}

func (s *sink) reset() error {
	if err := s.f.Truncate(0); err != nil {
		return err
	}
	_, err := s.f.Seek(0, io.SeekStart)
	s.n, s.head, s.full = 0, s.head[:0], false
	return err
}

package redact

import (
	"bytes"
	"errors"
	"io"
	"os"
)

// A spooled stream is kept whole: in memory while it is small, then in a temporary file that has no name where the system allows that.
type spooled struct {
	mem  []byte
	file *os.File
	size int64
	path string
}

var errSpool = errors.New("it needs more temporary space than the limit (--max-temp)")

// A spoolWriter fills one.
type spoolWriter struct {
	s            spooled
	memory, temp int64
}

func (w *spoolWriter) Write(p []byte) (int, error) {
	s := &w.s
	if s.file == nil {
		if int64(len(s.mem)+len(p)) <= w.memory {
			s.mem = append(s.mem, p...)
			s.size += int64(len(p))
			return len(p), nil
		}
		if err := s.toFile(); err != nil {
			return 0, err
		}
	}
	if s.size+int64(len(p)) > w.temp {
		return 0, errSpool
	}
	n, err := s.file.Write(p)
	s.size += int64(n)
	return n, err
}

func (s *spooled) toFile() error {
	f, err := os.CreateTemp("", "triage-*.tmp")
	if err != nil {
		return err
	}
	s.file = f
	if os.Remove(f.Name()) != nil {
		s.path = f.Name() // Windows keeps it until it is closed
	}
	_, err = f.Write(s.mem)
	s.mem = nil
	return err
}

// spool reads r to its end.
func spool(r io.Reader, memory, temp int64) (*spooled, error) {
	w := &spoolWriter{memory: memory, temp: temp}
	if _, err := io.Copy(w, r); err != nil {
		w.s.close()
		return nil, err
	}
	return &w.s, nil
}

func (s *spooled) ReadAt(p []byte, off int64) (int, error) {
	if s.file != nil {
		return s.file.ReadAt(p, off)
	}
	return bytes.NewReader(s.mem).ReadAt(p, off)
}

func (s *spooled) reader() io.Reader { return io.NewSectionReader(s, 0, s.size) }

func (s *spooled) close() {
	s.mem = nil
	if s.file != nil {
		_ = s.file.Close()
		if s.path != "" {
			_ = os.Remove(s.path)
		}
		s.file = nil
	}
}

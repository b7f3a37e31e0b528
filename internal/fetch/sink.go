package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

var errTooLarge = errors.New("the answer is larger than --max-bytes")

// A sink is the file of an answer, or its memory. It accepts at most max bytes, and remembers why it stopped.
type sink struct {
	f       *os.File
	mem     *bytes.Buffer // instead of a file
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
	var to io.Writer = s.f
	if s.mem != nil {
		to = s.mem
	}
	n, err := to.Write(p)
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
	s.n, s.head, s.full = 0, s.head[:0], false
	if s.mem != nil {
		s.mem.Reset()
		return nil
	}
	if err := s.f.Truncate(0); err != nil {
		return err
	}
	_, err := s.f.Seek(0, io.SeekStart)
	return err
}

var (
	errSilent  = errors.New("no answer in time")
	errStalled = errors.New("the answer stalled")
)

// A watchdog ends a context when nothing comes for too long: first an answer at all, then each further byte.
type watchdog struct {
	timer *time.Timer
	idle  time.Duration
	end   context.CancelCauseFunc
}

// watch returns a context that ends if header passes without an answer.
func watch(ctx context.Context, header, idle time.Duration) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(ctx)
	d := &watchdog{idle: idle, end: cancel}
	d.timer = time.AfterFunc(header, func() { cancel(fmt.Errorf("%w (%s)", errSilent, header)) })
	return ctx, d
}

func (d *watchdog) answered() {
	d.timer.Stop()
	d.timer = time.AfterFunc(d.idle, func() { d.end(fmt.Errorf("%w: nothing for %s", errStalled, d.idle)) })
}

func (d *watchdog) touch() { d.timer.Reset(d.idle) }

func (d *watchdog) stop() {
	d.timer.Stop()
	d.end(nil)
}

// A watchedWriter touches its watchdog for everything that is written to it, and ends the context if to fails.
type watchedWriter struct {
	to    io.Writer
	dog   *watchdog
	begun bool
	err   error
}

func (w *watchedWriter) Write(p []byte) (int, error) {
	if !w.begun {
		w.begun = true
		w.dog.answered()
	}
	w.dog.touch()
	n, err := w.to.Write(p)
	if err != nil {
		w.err = err
		w.dog.end(err)
	}
	return n, err
}

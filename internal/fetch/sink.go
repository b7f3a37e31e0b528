package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"
)

var (
	errTooLarge = errors.New("the answer is larger than --max-bytes")
	errSilent   = errors.New("no answer in time")
	errStalled  = errors.New("the answer stalled")
)

// A sink is the file that an answer goes to. It takes at most max bytes, and keeps what made it stop.
type sink struct {
	f    *os.File
	n    int64
	max  int64
	head []byte // the first bytes, to tell a profile from a web page
	full bool
	disk error // what writing the file failed with
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
		s.disk = err
		return n, err
	}
	if over {
		return n, errTooLarge
	}
	return n, nil
}

// reset forgets what was written, for another try.
func (s *sink) reset() error {
	if err := s.f.Truncate(0); err != nil {
		return err
	}
	_, err := s.f.Seek(0, io.SeekStart)
	s.n, s.head, s.full = 0, s.head[:0], false
	return err
}

// A watchdog ends a context when nothing comes for too long: first an answer at all, then each further byte.
type watchdog struct {
	timer *time.Timer
	idle  time.Duration
	end   context.CancelCauseFunc
}

// watch returns a context that ends after header without an answer; touch is called for each sign of life.
func watch(ctx context.Context, header, idle time.Duration) (context.Context, *watchdog) {
	ctx, cancel := context.WithCancelCause(ctx)
	d := &watchdog{idle: idle, end: cancel}
	d.timer = time.AfterFunc(header, func() { cancel(fmt.Errorf("%w (%s)", errSilent, header)) })
	return ctx, d
}

// answered changes from waiting for the answer to waiting for its bytes.
func (d *watchdog) answered() {
	d.timer.Stop()
	d.timer = time.AfterFunc(d.idle, func() { d.end(fmt.Errorf("%w: nothing for %s", errStalled, d.idle)) })
}

func (d *watchdog) touch() { d.timer.Reset(d.idle) }

func (d *watchdog) stop() {
	d.timer.Stop()
	d.end(nil)
}

// A feed is a reader whose every byte is a sign of life.
type feed struct {
	io.Reader
	dog *watchdog
}

func (f feed) Read(p []byte) (int, error) {
	n, err := f.Reader.Read(p)
	if n > 0 {
		f.dog.touch()
	}
	return n, err
}

// cause is the reason that a context was ended with, where it was, and err otherwise.
func cause(ctx context.Context, err error) error {
	if err == nil || ctx.Err() == nil {
		return err
	}
	if c := context.Cause(ctx); c != nil && !errors.Is(c, context.Canceled) {
		return c
	}
	return errInterrupted
}

package fetch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"
)

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

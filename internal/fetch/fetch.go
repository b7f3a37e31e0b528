// Package fetch captures what a live Go process serves about itself below /debug/pprof (goroutine dumps and profiles) into
// a folder or a zip archive that can be read back later, over plain HTTP or through the user's own kubectl.
//
// A pprof port is someone's production, so the rules of this package are:
//
//   - What will be asked, and what it costs the process, is said before the first request (EventPlan).
//   - Each item fails on its own, with its reason in the manifest; what came before an interruption is kept.
//   - Everything that comes is bounded: bytes, time without a byte, time altogether, redirects.
//   - Secrets (tokens, passwords, header values) appear in no manifest, event or error.
//   - Nothing here prints: events tell the caller what happens.
package fetch

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Options say what to capture, from where, how it may be reached and where it goes.
type Options struct {
	Target  Target
	Plan    Plan
	Limits  Limits
	Access  Access
	Cluster Cluster // for pods
	// Out is the folder to make, or the archive where it ends in .zip; "" makes triage-HOST-YYYYMMDDTHHMMSSZ here.
	Out string
	// Version is that of the program, for the manifest and the User-Agent.
	Version string
	// Events, where not nil, is told what happens, by one goroutine at a time.
	Events func(Event)

	clock clock // tests have their own
}

// Limits bound what a capture takes. The zero value of each means its default.
type Limits struct {
	MaxBytes int64         // an item: 256 MiB; a debug=2 dump has at most 64 MiB (net/http/pprof), a heap profile some
	Timeout  time.Duration // the whole capture: for each process as long as its plan lasts, and three minutes
	Connect  time.Duration // to a connection, TLS included: 10 s each
	Header   time.Duration // to an answer's header, besides the seconds that a profile lasts: 30 s
	Idle     time.Duration // without a byte of an answer that has begun: 30 s
	Busy     time.Duration // how long "cpu profiling already in use" is tried again: 45 s, as the usual profile takes 30
}

func (l Limits) withDefaults() Limits {
	if l.MaxBytes <= 0 {
		l.MaxBytes = 256 << 20
	}
	for _, d := range []struct {
		v    *time.Duration
		dflt time.Duration
	}{{&l.Connect, 10 * time.Second}, {&l.Header, 30 * time.Second}, {&l.Idle, 30 * time.Second}, {&l.Busy, 45 * time.Second}} {
		if *d.v <= 0 {
			*d.v = d.dflt
		}
	}
	return l
}

// A Result is a capture that lies on disk.
type Result struct {
	Path     string // the folder or the archive
	Manifest Manifest
	// Interrupted says that the caller's context ended the capture: what came until then was kept.
	Interrupted bool
}

// An Error is a capture that could not be made, and what to do about it.
type Error struct {
	Err  error
	Hint string
	// Usage says that the options are wrong, and nothing was asked.
	Usage bool
}

func (e *Error) Error() string { return e.Err.Error() }
func (e *Error) Unwrap() error { return e.Err }

func usage(hint, format string, args ...any) error {
	return &Error{Err: fmt.Errorf(format, args...), Hint: hint, Usage: true}
}

// Causes of a context's end that are our own.
var (
	errTimeout     = errors.New("the time for the whole capture is over (--timeout)")
	errInterrupted = errors.New("interrupted")
)

// Capture asks the target for everything in the plan and writes what came. The error is an *Error: the options can't be
// followed, nothing at all came, or the result could not be written. Items that failed are in the manifest.
func Capture(ctx context.Context, o Options) (*Result, error) {
	r, err := newRun(o)
	if err != nil {
		return nil, err
	}
	return r.capture(ctx)
}

// Check tells whether Capture would accept the options, without asking anybody.
func Check(o Options) error {
	_, err := newRun(o)
	return err
}

// A clock is the time as a capture sees it.
type clock struct {
	now  func() time.Time
	wait func(context.Context, time.Duration) error
}

func wallClock() clock {
	return clock{now: time.Now, wait: func(ctx context.Context, d time.Duration) error {
		t := time.NewTimer(d)
		defer t.Stop()
		select {
		case <-t.C:
			return nil
		case <-ctx.Done():
			return context.Cause(ctx)
		}
	}}
}

package fetch

import (
	"cmp"
	"context"
	"time"
)

// Options are what to capture, from where, how to reach it and where to put it.
type Options struct {
	Target  Target
	Plan    Plan
	Limits  Limits
	Access  Access
	Cluster Cluster // for pods
	// Out is the folder to make, or the archive (.zip); "" is triage-HOST-YYYYMMDDTHHMMSSZ in the working directory.
	Out string
	// Agree, if not nil, is asked once before any port of these pods is: without its consent they have their logs and
	// objects alone.
	Agree func(ctx context.Context, pods []string) bool
	// Declined reports that no port of a pod is to be asked; then the plan announces none, and nobody is asked.
	Declined bool
	// Version is the program's, for the manifest and the User-Agent.
	Version string
	// Events, if not nil, is called for each event, by one goroutine at a time.
	Events func(Event)

	clock Clock // a test's own, or the zero value for WallClock
}

// A Clock is the time as a capture sees it.
type Clock struct {
	Now  func() time.Time
	Wait func(context.Context, time.Duration) error // its error is the context's
}

// WallClock is the clock of everybody but tests.
func WallClock() Clock {
	return Clock{Now: time.Now, Wait: func(ctx context.Context, d time.Duration) error {
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

// Limits bound what a capture takes. The zero value of each means its default.
type Limits struct {
	// MaxBytes of an item: 256 MiB. net/http/pprof cuts a debug=2 dump at 64 MiB; a heap profile has some MiB.
	MaxBytes int64
	// Timeout of the whole capture: for each process as long as its plan lasts, and three minutes.
	Timeout time.Duration
	Connect time.Duration // until there is a connection, and until TLS is agreed on: 10 s each
	// Header is how long a port may be silent in all before an answer begins, besides the seconds that a profile lasts:
	// 30 s. Each answer begins it anew, and one item gets half of it.
	Header time.Duration
	Idle   time.Duration // between two bytes of an answer: 30 s
	// Busy is how long "cpu profiling already in use" is tried again: 45 s, as the usual profile takes 30.
	Busy time.Duration
}

func (l Limits) withDefaults() Limits {
	l.MaxBytes = cmp.Or(max(0, l.MaxBytes), 256<<20)
	l.Connect = cmp.Or(max(0, l.Connect), 10*time.Second)
	l.Header = cmp.Or(max(0, l.Header), 30*time.Second)
	l.Idle = cmp.Or(max(0, l.Idle), 30*time.Second)
	l.Busy = cmp.Or(max(0, l.Busy), 45*time.Second)
	return l
}

// An EventKind is the kind of an Event.
type EventKind int

// The kinds of events.
const (
	// EventPlan comes first: Text is a line of what will be asked and what it costs, Expect how long it takes.
	EventPlan EventKind = iota
	// EventStart: an item is asked for and lasts about Expect.
	EventStart
	// EventItem: an item came or failed; Item has the result.
	EventItem
	// EventNote: something worth knowing, in Text: fewer pods than the selector matches, a retry.
	EventNote
	// EventProcess: one of Of processes is complete.
	EventProcess
	// EventRound: a round of a watch ended, or something came of it, in Text.
	EventRound
)

// An Event is something that happened in a capture.
type Event struct {
	Kind   EventKind
	From   string // the process: HOST:PORT, pod NAMESPACE/NAME
	Name   string // the item's
	Text   string
	Expect time.Duration
	Item   *ManifestItem
	Of     int
}

package fetch

import (
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
	// Version is the program's, for the manifest and the User-Agent.
	Version string
	// Events, if not nil, is called for each event, by one goroutine at a time.
	Events func(Event)

	clock clock // a test's own, or the zero value for wallClock
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

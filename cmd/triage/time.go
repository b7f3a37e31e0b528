package main

import (
	"fmt"
	"strings"
	"time"
)

// A timeFlag is a moment on the command line. Without a zone it is UTC, as kubelets and API servers log.
type timeFlag struct{ to *time.Time }

// timeForms are what a timeFlag takes, the most exact ones first. Fractions of seconds are read by all that have
// seconds.
var timeForms = [...]string{
	time.RFC3339Nano, "2006-01-02T15:04Z07:00", "2006-01-02T15:04:05", "2006-01-02T15:04",
	"2006-01-02 15:04:05Z07:00", "2006-01-02 15:04:05",
	"2006-01-02 15:04", "2006-01-02",
}

func (f timeFlag) String() string {
	if f.to == nil || f.to.IsZero() {
		return ""
	}
	return f.to.Format(time.RFC3339Nano)
}

func (f timeFlag) Set(s string) error {
	s = strings.TrimSpace(s)
	for _, form := range timeForms {
		if t, err := time.Parse(form, s); err == nil {
			*f.to = t
			return nil
		}
	}
	return fmt.Errorf("%q is no time: 2026-03-04T04:47:00Z, or 2026-03-04 04:47 in UTC", s)
}

func (f timeFlag) Type() string { return "time" }

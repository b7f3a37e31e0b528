package main

import (
	"testing"
	"time"
)

func TestATimeOnTheCommandLine(t *testing.T) {
	want := time.Date(2026, 3, 4, 4, 47, 0, 0, time.UTC)
	for _, s := range []string{
		"2026-03-04T04:47:00Z", "2026-03-04T05:47:00+01:00", "2026-03-04T04:47:00", "2026-03-04 04:47:00", "2026-03-04 04:47", "2026-03-04T04:47",
		" 2026-03-04T04:47Z ", "2026-03-04T04:47:00.000Z",
	} {
		if at, ago, err := parseTime(s); err != nil || !at.Equal(want) || ago != 0 {
			t.Errorf("%q: %v, %v, %v", s, at, ago, err)
		}
	}
	for _, s := range []string{"", "yesterday", "1", "-1h", "0s", "04:47", "2026-13-04"} {
		if at, ago, err := parseTime(s); err == nil {
			t.Errorf("%q: taken as %v, %v", s, at, ago)
		}
	}
}

func TestASpanOnTheCommandLineCountsBackFromTheEndOfTheInputs(t *testing.T) {
	for s, want := range map[string]time.Duration{"1h": time.Hour, "90s": 90 * time.Second, "1h30m": 90 * time.Minute} {
		if at, ago, err := parseTime(s); err != nil || ago != want || !at.IsZero() {
			t.Errorf("%q: %v, %v, %v", s, at, ago, err)
		}
	}
}

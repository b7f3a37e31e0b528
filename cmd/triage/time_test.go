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
		if got, err := parseMoment(s); err != nil || !got.at.Equal(want) {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "yesterday", "1", "-1h", "0s", "04:47", "2026-13-04"} {
		if got, err := parseMoment(s); err == nil {
			t.Errorf("%q: taken as %v", s, got)
		}
	}
}

func TestASpanOnTheCommandLineCountsBackFromTheEndOfTheInputs(t *testing.T) {
	for s, want := range map[string]time.Duration{"1h": time.Hour, "90s": 90 * time.Second, "1h30m": 90 * time.Minute} {
		if got, err := parseMoment(s); err != nil || got != (moment{ago: want}) {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
}

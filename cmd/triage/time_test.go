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
		var got time.Time
		if err := (timeFlag{&got}).Set(s); err != nil || !got.Equal(want) {
			t.Errorf("%q: %v, %v", s, got, err)
		}
	}
	for _, s := range []string{"", "yesterday", "1h", "04:47", "2026-13-04"} {
		var got time.Time
		if err := (timeFlag{&got}).Set(s); err == nil {
			t.Errorf("%q: taken as %v", s, got)
		}
	}
}

package logpattern

import (
	"slices"
	"testing"
	"time"
)

func yearlessLog(t testing.TB, lines ...string) *Log {
	t.Helper()
	m := NewMiner()
	for i, line := range lines {
		m.Line([]byte(line), int64(i+1), 0, nil)
	}
	l := m.Close()
	if !l.Yearless {
		t.Fatal("the lines have a year")
	}
	return l
}

func TestALogWithoutYearsGetsThatOfWhenItWasCollected(t *testing.T) {
	for name, c := range map[string]struct {
		first, last string
		known       string
		want        string // of the last line
	}{
		"the same year":      {"0314 09:23:51", "0314 09:23:52", "2026-03-14T10:00:00Z", "2026-03-14T09:23:52Z"},
		"the year before":    {"1231 09:23:51", "1231 23:23:52", "2026-01-01T10:00:00Z", "2025-12-31T23:23:52Z"},
		"over New Year":      {"1231 23:59:51", "0101 00:23:52", "2026-01-01T10:00:00Z", "2026-01-01T00:23:52Z"},
		"a zone ahead":       {"0101 03:23:51", "0101 03:23:52", "2025-12-31T20:00:00Z", "2026-01-01T03:23:52Z"},
		"collected too late": {"0314 09:23:51", "0314 09:23:52", "2026-03-18T10:00:00Z", ""},
		"written after":      {"0320 09:23:51", "0320 09:23:52", "2026-03-14T10:00:00Z", ""},
		"nothing is known":   {"0320 09:23:51", "0320 09:23:52", "", ""},
	} {
		const line = ".000001       1 main.go:17] tick"
		lines := append([]string{"I" + c.first + line}, slices.Repeat([]string{"I" + c.last + line}, keptRepeats)...)
		l := yearlessLog(t, lines...)
		known, _ := time.Parse(time.RFC3339, c.known)
		year := l.YearBefore(known, 48*time.Hour)
		if year == 0 {
			if c.want != "" {
				t.Errorf("%s: no year", name)
			}
			continue
		}
		l.SetYear(year)
		if got := l.Last.Format(time.RFC3339); got != c.want || l.Yearless {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
		if len(l.Patterns) == 0 {
			t.Fatalf("%s: no pattern", name)
		}
		p := l.Patterns[0]
		if !p.Last.Equal(l.Last) || !p.First.Equal(l.First) || l.Last.Sub(l.First) > 12*time.Hour*2 || l.Last.Before(l.First) {
			t.Errorf("%s: pattern %s to %s, log %s to %s", name, p.First, p.Last, l.First, l.Last)
		}
	}
}

func TestDatesAroundTheEndOfFebruaryAreThoseOfTheYear(t *testing.T) {
	const line = ".000001       1 main.go:17] tick"
	for name, c := range map[string]struct {
		stamps []string
		year   int
		want   time.Duration
	}{
		"no leap year": {[]string{"0228 23:59:50", "0301 00:00:10", "0301 00:00:30"}, 2026, 40 * time.Second},
		"a leap year":  {[]string{"0228 23:59:50", "0229 00:00:10", "0301 00:00:30"}, 2028, 24*time.Hour + 40*time.Second},
	} {
		var lines []string
		for _, s := range c.stamps {
			lines = append(lines, "I"+s+line)
		}
		l := yearlessLog(t, lines...)
		l.SetYear(c.year)
		if got := l.Last.Sub(l.First); got != c.want || l.Last.Month() != time.March || l.Last.Day() != 1 {
			t.Errorf("%s: %s, up to %s", name, got, l.Last)
		}
	}
}

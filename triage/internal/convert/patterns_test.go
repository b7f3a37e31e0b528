package convert

import (
	"testing"
	"time"

	"github.com/gotriage/triage/internal/logpattern"
	"github.com/gotriage/triage/rules"
)

func TestLinesWithinOneSecondHaveNoRate(t *testing.T) {
	start := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	in := &rules.LogInput{Locate: func(line int64) (string, int64) { return "a.log", line }}
	for _, c := range []struct {
		long time.Duration
		want float64
	}{{1300 * time.Microsecond, 0}, {10 * time.Second, 1.1}} {
		p := &logpattern.Pattern{Repeats: logpattern.Repeats{Count: 11, First: start, Last: start.Add(c.long)}}
		if got := convertPattern(in, &logpattern.Log{}, p); got.PerSecond != c.want || got.Steady {
			t.Errorf("11 lines in %s: %v lines a second, steady: %v", c.long, got.PerSecond, got.Steady)
		}
	}
}

package sources

import (
	"testing"
	"time"
)

func TestAPeriodHoldsWhatLiesInItAndWhatTellsNoTime(t *testing.T) {
	since := time.Date(2026, 3, 4, 4, 47, 0, 500, time.UTC)
	p := period{since, since.Add(time.Minute)}
	for stamp, want := range map[string]bool{
		"2026-03-04T04:46:59.999999999Z":      false,
		"2026-03-04T04:47:00.000000499Z":      false, // the same second, before the nanosecond
		"2026-03-04T04:47:00.000000500Z":      true,
		"2026-03-04T04:47:30Z":                true,
		"2026-03-04T04:48:00.000000500Z":      true,
		"2026-03-04T04:48:00.000000501Z":      false,
		"2026-03-04T05:47:30+01:00":           true, // as 04:47:30Z
		"2026-03-04T05:47:30.5+0100":          true,
		"2026-03-04T04:47:30+01:00":           false,
		"Mar 04 01:00:00":                     true, // no year, no zone: it may
		"":                                    true,
		"2026-03-04T04:47:30.123456789 later": true,
	} {
		if got := p.holds([]byte(stamp)); got != want {
			t.Errorf("%q: %v", stamp, got)
		}
	}
	if !(period{}).holds([]byte("2026-03-04T04:46:59Z")) {
		t.Error("a period without bounds leaves something out")
	}
	if !(period{until: since}).holds([]byte("1999-03-04T04:46:59Z")) {
		t.Error("a period without a beginning leaves the past out")
	}
}

package logpattern

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestLinesAreCountedWhenTheyWereLogged compares the slots of patterns with counts by hand, for logs in order, reversed
// and shuffled, from a second to years.
func TestLinesAreCountedWhenTheyWereLogged(t *testing.T) {
	begin := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	const year = 365 * 24 * time.Hour
	for _, span := range []time.Duration{time.Second, time.Minute, 3 * time.Hour, 900 * time.Hour, 9 * year} {
		for _, order := range []string{"forward", "reversed", "shuffled"} {
			const lines = 500
			random := rand.New(rand.NewPCG(1, 2))
			m, times := NewMiner(), make([]time.Time, lines)
			for i := range times {
				times[i] = begin.Add(span / lines * time.Duration(i))
				if order == "reversed" {
					times[i] = begin.Add(span / lines * time.Duration(lines-1-i))
				}
			}
			if order == "shuffled" {
				random.Shuffle(lines, func(i, j int) { times[i], times[j] = times[j], times[i] })
			}
			for i, at := range times {
				text := "reconciled everything"
				if i%4 == 0 {
					text = "another sentence of words"
				}
				m.Line([]byte(text), int64(i+1), 0, []byte(at.Format(time.RFC3339Nano)))
			}
			checkSlots(t, m.Close(), times, order+" over "+span.String())
		}
	}
}

func checkSlots(t *testing.T, log *Log, times []time.Time, name string) {
	t.Helper()
	if len(log.Patterns) != 2 {
		t.Fatalf("%s: %d patterns", name, len(log.Patterns))
	}
	end := log.SlotsFrom.Add(log.Slot * time.Duration(len(log.Patterns[0].OverTime)))
	if log.First.Before(log.SlotsFrom) || !log.Last.Before(end) {
		t.Errorf("%s: slots from %v to %v hold not all of %v to %v", name, log.SlotsFrom, end, log.First, log.Last)
	}
	for i, p := range log.Patterns {
		want := make([]uint32, len(p.OverTime))
		for j, at := range times {
			if (j%4 == 0) == (i == 1) {
				want[at.Sub(log.SlotsFrom)/log.Slot]++
			}
		}
		for k := range want {
			if p.OverTime[k] != want[k] {
				t.Fatalf("%s: pattern %d: %v, by hand %v", name, i, p.OverTime, want)
			}
		}
		if n := len(want); n > overTimeSlots || log.Slot > 2*time.Second && n <= overTimeSlots/4 {
			t.Errorf("%s: %d slots", name, n)
		}
	}
}

func TestALogWithoutTimesHasNoSlots(t *testing.T) {
	m := NewMiner()
	for i := range 10 {
		m.Line([]byte("reconciled everything"), int64(i+1), 0, nil)
	}
	if log := m.Close(); log.Slot != 0 || log.Patterns[0].OverTime != nil {
		t.Errorf("slots of %v, counts %v", log.Slot, log.Patterns[0].OverTime)
	}
}

package rules

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/stackparse"
)

// leaking is a dump of n waiting goroutines of a process.
func leaking(n int, process, stamp string) *DumpInput {
	d := &DumpInput{Dump: dumptest.WaitingDump(n), Input: fmt.Sprint(n), Process: process}
	d.Stamp = stamp
	d.Roles = make([]*Role, len(d.Buckets))
	return d
}

func order(s *Series) string {
	var names []string
	for _, d := range s.Dumps {
		names = append(names, d.Input)
	}
	return strings.Join(names, " ")
}

func TestSeriesOf_OrdersByStampsWhereAllHaveOne(t *testing.T) {
	a, b, c := leaking(9, "p", "2026-11-20T18:05:32Z"), leaking(5, "p", "2026-11-20T19:00:00.5+01:00"), leaking(7, "p",
		"2026-11-20T18:01:00Z")
	all := SeriesOf([]*DumpInput{a, b, c})
	if len(all) != 1 || order(all[0]) != "5 7 9" {
		t.Fatalf("order %q", order(all[0]))
	}
	if span, ok := all[0].Span(); !ok || span != 5*time.Minute+31*time.Second+500*time.Millisecond {
		t.Errorf("span %v, %v", span, ok)
	}
	b.Stamp = ""
	if all := SeriesOf([]*DumpInput{a, b, c}); order(all[0]) != "5 7 9" {
		t.Errorf("without one stamp: %q, want the order of the newest goroutines", order(all[0]))
	}
}

func TestSortByTime_ANewerGoroutineShowsTheLaterDump(t *testing.T) {
	later, first, died := leaking(9, "p", ""), leaking(5, "p", ""), leaking(3, "p", "")
	died.Cause = &stackparse.Cause{Kind: stackparse.CauseFatal}
	s := &Series{Dumps: []*DumpInput{died, later, first}}
	if SortByTime(s.Dumps); order(s) != "5 9 3" {
		t.Errorf("order %q, want the newest goroutine last, before the dump that the process died of", order(s))
	}
}

func TestSortByTime_WaitsThatAreOlderShowTheLaterDumpBesideThoseWithTimes(t *testing.T) {
	first, second, last := leaking(9, "p", "2026-11-20T18:05:32Z"), leaking(7, "p", "2026-11-20T18:05:39Z"), leaking(8, "p", "")
	for _, minutes := range []struct {
		d *DumpInput
		n uint32
	}{{first, 3}, {second, 3}, {last, 11}} {
		for _, b := range minutes.d.Buckets {
			for i := range b.Goroutines {
				b.Goroutines[i].Minutes = minutes.n
			}
		}
	}
	s := &Series{Dumps: []*DumpInput{last, second, first}}
	if SortByTime(s.Dumps); order(s) != "9 7 8" {
		t.Errorf("order %q, want times to decide between dumps that have them, and the last one to be that with the oldest waits", order(s))
	}
}

func TestSortByTime_DumpsThatLackGoroutinesStayWhereTheyWereRead(t *testing.T) {
	cut, later, counted, first := leaking(8, "p", ""), leaking(9, "p", ""), leaking(7, "p", ""), leaking(5, "p", "")
	cut.Truncated.Tail = true
	for _, b := range counted.Buckets {
		b.Goroutines = nil
	}
	s := &Series{Dumps: []*DumpInput{cut, later, counted, first}}
	if SortByTime(s.Dumps); order(s) != "8 5 7 9" {
		t.Errorf("order %q, want only the whole lists to change places", order(s))
	}
}

func TestSeriesOf_TheDumpThatEndedTheProcessIsTheLast(t *testing.T) {
	a, b := leaking(9, "p", ""), leaking(5, "p", "")
	a.Cause = &stackparse.Cause{Kind: stackparse.CauseSignal, Signal: "SIGABRT: abort"}
	if all := SeriesOf([]*DumpInput{a, b}); order(all[0]) != "5 9" {
		t.Errorf("order %q", order(all[0]))
	}
}

func TestSeriesOf_LeavesOutWhatIsNoDumpOfAll(t *testing.T) {
	panicked := leaking(0, "p", "")
	cut := leaking(4, "p", "")
	cut.Truncated.Tail = true
	all := SeriesOf([]*DumpInput{leaking(5, "p", ""), panicked, leaking(6, "", ""), leaking(7, "q", ""), cut,
		leaking(8, "p", "")})
	if len(all) != 1 || order(all[0]) != "5 8" || all[0].All != 3 {
		t.Fatalf("%d series: %+v", len(all), all)
	}
	all = SeriesOf([]*DumpInput{leaking(5, "p", ""), cut})
	if len(all) != 1 || !all[0].Cut {
		t.Error("a cut dump is not compared where there is nothing else")
	}
}

func TestSeriesOf_TakesSomeOfManyDumpsWithTheFirstAndTheLast(t *testing.T) {
	var dumps []*DumpInput
	for i := range 3 * maxSeriesDumps {
		dumps = append(dumps, leaking(2+i%3, "p", fmt.Sprintf("2026-11-20T18:%02d:%02dZ", i/60, i%60)))
	}
	s := SeriesOf(dumps)[0]
	if len(s.Dumps) != maxSeriesDumps || s.All != len(dumps) || s.Dumps[0] != dumps[0] ||
		s.Dumps[maxSeriesDumps-1] != dumps[len(dumps)-1] {
		t.Errorf("%d of %d dumps", len(s.Dumps), s.All)
	}
}

func TestDumpTime_KnowsTheStampsOfLogFramings(t *testing.T) {
	for stamp, want := range map[string]string{
		"2026-11-20T18:05:32.123460341Z": "18:05:32.12346",
		"2026-11-20T18:05:32+00:00":      "18:05:32",
		"2026-11-20T18:05:32+0000":       "18:05:32",
		"2026-11-20T18:05:32,5Z":         "18:05:32.5",
		"Nov 20 18:05:32":                "18:05:32",
		"Nov  2 18:05:32.123456":         "18:05:32.123456",
		"Fri 2026-11-20 18:05:32 UTC":    "18:05:32",
		"2026/11/20 18:05:32":            "18:05:32",
		"yesterday":                      "",
		"":                               "",
	} {
		d := DumpInput{Dump: &stackparse.Dump{Stamp: stamp}}
		at, ok := d.Time()
		got := ""
		if ok {
			got = at.Format("15:04:05.999999")
		}
		if got != want {
			t.Errorf("%q is %q, want %q", stamp, got, want)
		}
	}
}

func TestDumpsThatCountGoroutinesAreNotComparedWithThoseThatListThem(t *testing.T) {
	dump := func(format stackparse.Format) *DumpInput {
		return &DumpInput{Dump: &stackparse.Dump{Format: format, Goroutines: 10}, Process: "p"}
	}
	text, counted := stackparse.FormatDebug2, stackparse.FormatProfile
	for _, c := range []struct {
		formats []stackparse.Format
		dumps   int
	}{
		{[]stackparse.Format{text, counted}, 0},
		{[]stackparse.Format{text, counted, text}, 2},
		{[]stackparse.Format{counted, counted}, 2},
	} {
		var all []*DumpInput
		for _, f := range c.formats {
			all = append(all, dump(f))
		}
		n := 0
		for _, s := range SeriesOf(all) {
			n = len(s.Dumps)
		}
		if n != c.dumps {
			t.Errorf("%v: %d dumps are compared, want %d", c.formats, n, c.dumps)
		}
	}
}

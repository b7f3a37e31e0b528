package rules

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/stackparse"
)

// leaking is a dump of n waiting goroutines of a process, read from a text.
func leaking(t *testing.T, n int, process, stamp string) *DumpInput {
	t.Helper()
	var b strings.Builder
	b.WriteString("goroutine 1 [chan receive]:\nmain.main()\n\t/src/main.go:3 +0x1d\n\n")
	for i := range n {
		fmt.Fprintf(&b, "goroutine %d [select]:\nmain.wait()\n\t/src/wait.go:9 +0x1d\ncreated by main.main in goroutine 1\n\t/src/main.go:2 +0x1d\n\n", i+7)
	}
	dumps := parseDumps([]byte(b.String()))
	if len(dumps) != 1 {
		t.Fatalf("%d dumps", len(dumps))
	}
	d := &DumpInput{Dump: dumps[0], Input: fmt.Sprint(n), Process: process}
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
	a, b, c := leaking(t, 9, "p", "2026-11-20T18:05:32Z"), leaking(t, 5, "p", "2026-11-20T19:00:00.5+01:00"), leaking(t, 7, "p", "2026-11-20T18:01:00Z")
	all := SeriesOf([]*DumpInput{a, b, c})
	if len(all) != 1 || order(all[0]) != "5 7 9" {
		t.Fatalf("order %q", order(all[0]))
	}
	if span, ok := all[0].Span(); !ok || span != 5*time.Minute+31*time.Second+500*time.Millisecond {
		t.Errorf("span %v, %v", span, ok)
	}
	b.Stamp = ""
	if all := SeriesOf([]*DumpInput{a, b, c}); order(all[0]) != "9 5 7" {
		t.Errorf("without one stamp: %q, want the order of the inputs", order(all[0]))
	}
}

func TestSeriesOf_TheDumpThatEndedTheProcessIsTheLast(t *testing.T) {
	a, b := leaking(t, 9, "p", ""), leaking(t, 5, "p", "")
	a.Cause = &stackparse.Cause{Kind: stackparse.CauseSignal, Signal: "SIGABRT: abort"}
	if all := SeriesOf([]*DumpInput{a, b}); order(all[0]) != "5 9" {
		t.Errorf("order %q", order(all[0]))
	}
}

func TestSeriesOf_LeavesOutWhatIsNoDumpOfAll(t *testing.T) {
	panicked := leaking(t, 0, "p", "")
	cut := leaking(t, 4, "p", "")
	cut.Truncated.Tail = true
	all := SeriesOf([]*DumpInput{leaking(t, 5, "p", ""), panicked, leaking(t, 6, "", ""), leaking(t, 7, "q", ""), cut, leaking(t, 8, "p", "")})
	if len(all) != 1 || order(all[0]) != "5 8" || all[0].All != 3 {
		t.Fatalf("%d series: %+v", len(all), all)
	}
	all = SeriesOf([]*DumpInput{leaking(t, 5, "p", ""), cut})
	if len(all) != 1 || !all[0].Cut {
		t.Error("a cut dump is not compared where there is nothing else")
	}
}

func TestSeriesOf_TakesSomeOfManyDumpsWithTheFirstAndTheLast(t *testing.T) {
	var dumps []*DumpInput
	for i := range 3 * maxSeriesDumps {
		dumps = append(dumps, leaking(t, 2+i%3, "p", fmt.Sprintf("2026-11-20T18:%02d:%02dZ", i/60, i%60)))
	}
	s := SeriesOf(dumps)[0]
	if len(s.Dumps) != maxSeriesDumps || s.All != len(dumps) || s.Dumps[0] != dumps[0] || s.Dumps[maxSeriesDumps-1] != dumps[len(dumps)-1] {
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

func growth450(t *testing.T, counts ...int) []Finding {
	t.Helper()
	var dumps []*DumpInput
	for _, n := range counts {
		dumps = append(dumps, leaking(t, n, "p", ""))
	}
	prepare(dumps, builtinRoleSet(t))
	return growingGoroutines().Apply(&Pass{Dumps: dumps})
}

func TestGrowing_SeverityFollowsTheSizeAndConfidenceTheDumps(t *testing.T) {
	for name, c := range map[string]struct {
		counts []int
		want   string
	}{
		"three dumps":                 {[]int{20, 40, 60}, "medium high"},
		"two dumps":                   {[]int{20, 90}, "medium medium"},
		"a thousand, most of all":     {[]int{200, 700, 1_200}, "high high"},
		"nobody came in the last one": {[]int{20, 60, 60}, ""},
		"less in between":             {[]int{20, 60, 50, 90}, ""},
		"nine more":                   {[]int{20, 24, 29}, ""},
	} {
		got := ""
		if found := growth450(t, c.counts...); len(found) > 0 {
			got = fmt.Sprintf("%s %s", found[0].Severity, found[0].Confidence)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestGrowing_SaysWhatTheDumpsShow(t *testing.T) {
	f := growth450(t, 20, 40, 60)[0]
	for _, want := range []string{"20, 40 and 60 in 3 dumps", "Not one that was there has left", "main.main starts them"} {
		if !strings.Contains(f.Why, want) {
			t.Errorf("no %q in %q", want, f.Why)
		}
	}
	if len(f.Evidence) != 3 || f.Evidence[0].Input != "60" || f.Count != 60 {
		t.Errorf("%d pieces of evidence, the first of %s; count %d", len(f.Evidence), f.Evidence[0].Input, f.Count)
	}
}

func TestGrowing_CountsWithoutIDsNeedMore(t *testing.T) {
	counted := func(counts ...int) []Finding {
		var dumps []*DumpInput
		for _, n := range counts {
			d := leaking(t, n, "p", "")
			d.Format = stackparse.FormatProfile
			for _, b := range d.Buckets {
				b.Goroutines = nil
			}
			dumps = append(dumps, d)
		}
		return growingGoroutines().Apply(&Pass{Dumps: dumps})
	}
	if found := counted(20, 50, 90); len(found) != 1 || found[0].Confidence != ConfMedium {
		t.Errorf("three counts that grow from 20 to 90: %+v", found)
	}
	if found := counted(20, 90); len(found) != 0 {
		t.Error("two counts without ids accuse")
	}
}

func TestListCounts_ShortensLongLists(t *testing.T) {
	if got := listCounts([]int{1, 2, 3, 4, 5, 6, 7, 8}); got != "1, 2, 3, 4, 5, … and 8" {
		t.Error(got)
	}
	if got := listCounts([]int{1, 2}); got != "1 and 2" {
		t.Error(got)
	}
}

// lockWaiters is a dump of a process whose goroutines wait for a lock, with minutes in their headers.
func lockWaiters(t *testing.T, minutes int, stamp string) *DumpInput {
	t.Helper()
	state := "sync.Mutex.Lock"
	if minutes > 0 {
		state += fmt.Sprintf(", %d minutes", minutes)
	}
	var b strings.Builder
	for _, id := range []int{21, 22, 23} {
		fmt.Fprintf(&b, "goroutine %d [%s]:\ninternal/sync.(*Mutex).lockSlow(0xc000012340)\n\tinternal/sync/mutex.go:149 +0x15d\nexample.com/shop.(*S).Take(0xc000012340)\n\t/src/s.go:3 +0x1d\n\n", id, state)
	}
	d := &DumpInput{Dump: parseDumps([]byte(b.String()))[0], Input: stamp, Process: "p"}
	d.Stamp = stamp
	d.Roles = make([]*Role, len(d.Buckets))
	return d
}

func TestStuckAgain_BelievesStampsAndMinutesOnlyTogether(t *testing.T) {
	const start = "2026-11-20T18:00:00Z"
	for name, c := range map[string]struct {
		first, last int
		stamp       string
		want        int
	}{
		"ten minutes apart, waited eleven":               {1, 11, "2026-11-20T18:10:00Z", 1},
		"ten minutes apart, waited nine: off by a cycle": {0, 9, "2026-11-20T18:10:00Z", 1},
		"ten minutes apart, waited four: moved between":  {4, 4, "2026-11-20T18:10:00Z", 0},
		"two seconds apart":                              {11, 11, "2026-11-20T18:00:02Z", 0},
		"two minutes apart, waited two: off by a cycle":  {0, 2, "2026-11-20T18:02:00Z", 0},
	} {
		dumps := []*DumpInput{lockWaiters(t, c.first, start), lockWaiters(t, c.last, c.stamp)}
		found := stuckAgain().Apply(&Pass{Dumps: dumps})
		if len(found) != c.want {
			t.Errorf("%s: %d findings, want %d", name, len(found), c.want)
			continue
		}
		if c.want > 0 && (found[0].Count != 3 || !slices.Equal(found[0].Evidence[0].Goroutines, []uint64{21, 22, 23})) {
			t.Errorf("%s: %d goroutines, %v", name, found[0].Count, found[0].Evidence[0].Goroutines)
		}
	}
}

package wait

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/declared"
	"github.com/gotriage/triage/rules/internal/dumptest"
	"github.com/gotriage/triage/rules/internal/rulestest"
	"github.com/gotriage/triage/stackparse"
)

func growth450(t *testing.T, counts ...int) []rules.Finding {
	t.Helper()
	var dumps []*rules.DumpInput
	for i, n := range counts {
		dump := dumptest.WaitingDump(n)
		dump.Stamp = fmt.Sprintf("2026-11-20T18:%02d:00Z", i)
		dumps = append(dumps, &rules.DumpInput{Dump: dump, Input: fmt.Sprint(n), Process: "p"})
	}
	rulestest.Prepare(dumps, declared.Roles())
	return growingGoroutines().Apply(&rules.Pass{Dumps: dumps})
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
	for _, want := range []string{"20, 40 and 60 in 3 dumps", "Not one that was there has left",
		"main.main starts them"} {
		if !strings.Contains(f.Why, want) {
			t.Errorf("no %q in %q", want, f.Why)
		}
	}
	if len(f.Evidence) != 3 || f.Evidence[0].Input != "60" || f.Count != 60 {
		t.Errorf("%d pieces of evidence, the first of %s; count %d", len(f.Evidence), f.Evidence[0].Input, f.Count)
	}
}

func TestGrowing_CountsWithoutIDsNeedMore(t *testing.T) {
	counted := func(counts ...int) []rules.Finding {
		var dumps []*rules.DumpInput
		for _, n := range counts {
			d := &rules.DumpInput{Dump: dumptest.WaitingDump(n), Process: "p"}
			d.Roles = make([]*rules.Role, len(d.Buckets))
			d.Format = stackparse.FormatProfile
			for _, b := range d.Buckets {
				b.Goroutines = nil
			}
			dumps = append(dumps, d)
		}
		return growingGoroutines().Apply(&rules.Pass{Dumps: dumps})
	}
	if found := counted(20, 50, 90); len(found) != 1 || found[0].Confidence != rules.ConfMedium {
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
func lockWaiters(t *testing.T, minutes int, stamp string) *rules.DumpInput {
	t.Helper()
	state := "sync.Mutex.Lock"
	if minutes > 0 {
		state += fmt.Sprintf(", %d minutes", minutes)
	}
	var b strings.Builder
	for _, id := range []int{21, 22, 23} {
		fmt.Fprintf(&b,
			"goroutine %d [%s]:\ninternal/sync.(*Mutex).lockSlow(0xc000012340)\n\tinternal/sync/mutex.go:149 "+
				"+0x15d\nexample.com/shop.(*S).Take(0xc000012340)\n\t/src/s.go:3 +0x1d\n\n", id, state)
	}
	d := &rules.DumpInput{Dump: dumptest.ParseDumps([]byte(b.String()))[0], Input: stamp, Process: "p"}
	d.Stamp = stamp
	d.Roles = make([]*rules.Role, len(d.Buckets))
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
		dumps := []*rules.DumpInput{lockWaiters(t, c.first, start), lockWaiters(t, c.last, c.stamp)}
		found := stuckAgain().Apply(&rules.Pass{Dumps: dumps})
		if len(found) != c.want {
			t.Errorf("%s: %d findings, want %d", name, len(found), c.want)
			continue
		}
		if c.want > 0 && (found[0].Count != 3 || !slices.Equal(found[0].Evidence[0].Goroutines, []uint64{21, 22, 23})) {
			t.Errorf("%s: %d goroutines, %v", name, found[0].Count, found[0].Evidence[0].Goroutines)
		}
	}
}

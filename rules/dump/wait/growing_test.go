package wait

import (
	"fmt"
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

// cameOneByOne is a dump of a process that has started n goroutines one after the other, with one that has ended before
// each, and whose main has waited for some minutes.
func cameOneByOne(n, minutes int) *rules.DumpInput {
	since := "select"
	if minutes > 0 {
		since = fmt.Sprintf("select, %d minutes", minutes)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "goroutine 1 [%s]:\nmain.main()\n\t/src/main.go:3 +0x1d\n\n", since)
	for i := range n {
		fmt.Fprintf(&b, "goroutine %d [select]:\nshop.(*Session).run(0xc%07x)\n\t/src/session.go:9 +0x1d\n"+
			"created by shop.open in goroutine 1\n\t/src/session.go:2 +0x1d\n\n", 7+2*i, 0x1000+16*i)
	}
	return &rules.DumpInput{Dump: dumptest.ParseDumps([]byte(b.String()))[0], Process: "p"}
}

func TestASmallGrowthIsALeakOnlyOverMinutesOrManyDumps(t *testing.T) {
	for name, c := range map[string]struct {
		counts  []int
		minutes []int    // of main's wait, in each dump
		stamps  []string // minute and second of each dump
		want    string
	}{
		"sessions that a process opens when it starts": {counts: []int{12_000, 12_240}, want: "medium low"},
		"few of them":                              {counts: []int{150, 165}, want: "medium low"},
		"a pool on its way to its limit":           {counts: []int{480, 500}, want: "medium low"},
		"three dumps of a start":                   {counts: []int{1_500, 1_530, 1_560}, want: "medium low"},
		"four dumps of a start":                    {counts: []int{800, 824, 848, 872}, want: "medium low"},
		"ten seconds, as stamps show":              {counts: []int{12_000, 12_240}, stamps: []string{"00:00", "00:10"}, want: "medium low"},
		"ten seconds, three dumps":                 {counts: []int{400, 410, 420}, stamps: []string{"00:00", "00:05", "00:10"}, want: "medium low"},
		"a header's minute may be a second":        {counts: []int{400, 440}, minutes: []int{5, 6}, want: "medium low"},
		"four minutes, as stamps show":             {counts: []int{400, 440}, stamps: []string{"00:00", "04:00"}, want: "medium medium"},
		"four minutes, as headers show":            {counts: []int{400, 440}, minutes: []int{5, 9}, want: "medium medium"},
		"four minutes, since the first collection": {counts: []int{400, 440}, minutes: []int{0, 4}, want: "medium medium"},
		"three dumps in eight minutes":             {counts: []int{400, 420, 440}, minutes: []int{5, 9, 13}, want: "medium high"},
		"a huge leak, minutes apart":               {counts: []int{10_000, 11_000}, minutes: []int{20, 25}, want: "high medium"},
		"five dumps":                               {counts: []int{400, 412, 424, 436, 448}, want: "medium high"},
		"doubled":                                  {counts: []int{200, 450}, want: "medium medium"},
		"doubled, most of all":                     {counts: []int{1_000, 2_100}, want: "high medium"},
		"doubled in three dumps":                   {counts: []int{200, 300, 450}, want: "medium high"},
	} {
		var dumps []*rules.DumpInput
		for i, n := range c.counts {
			minutes := 0
			if c.minutes != nil {
				minutes = c.minutes[i]
			}
			d := cameOneByOne(n, minutes)
			if c.stamps != nil {
				d.Stamp = "2026-11-20T18:" + c.stamps[i] + "Z"
			}
			dumps = append(dumps, d)
		}
		rulestest.Prepare(dumps, declared.Roles())
		got := ""
		if found := growingGoroutines().Apply(&rules.Pass{Dumps: dumps}); len(found) > 0 {
			got = fmt.Sprintf("%s %s", found[0].Severity, found[0].Confidence)
		}
		if got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestGrowing_SaysWhatTheDumpsShow(t *testing.T) {
	f := growth450(t, 20, 40, 60)[0]
	for _, want := range []string{"20, 40 and 60 goroutines", "in 3 dumps of one process", "they don't end"} {
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

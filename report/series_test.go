package report_test

import (
	"strings"
	"testing"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

// seriesReport: five dumps of one process in which askers pile up, a lock holds three, and requests come and go.
func seriesReport() *schema.Report {
	const pkg = "example.com/shop/orders/internal/"
	const log = "/var/log/pods/shop_orders-7_6b1f/orders/0.log"
	times := []string{"2026-03-01T10:00:00Z", "2026-03-01T10:05:00Z", "2026-03-01T10:10:00Z", "2026-03-01T10:15:00Z", "2026-03-01T10:20:00Z"}
	ask := fn(pkg+"price.(*Desk).ask", "/src/orders/internal/price/desk.go", 58, "own")
	r := &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Inputs: []schema.Input{{Path: log, Kind: "pod-log", Bytes: 9_100_000, Lines: 81_204, Framing: "cri", Namespace: "shop", Pod: "orders-7", Container: "orders"}},
		Findings: []rules.Finding{{
			Rule: "TR450", Name: "growing-goroutines", Category: rules.Leak, Severity: rules.Medium, Confidence: rules.ConfHigh,
			Title:    "price.(*Desk).ask piles up goroutines, from 12 to 1,040",
			Culprit:  rules.Place{Function: ask.Function, File: ask.File, Line: ask.Line},
			Path:     []rules.PathFrame{{Function: ask.Function, File: ask.File, Line: ask.Line, Class: "own"}},
			Evidence: []rules.Evidence{{Input: log, Line: 70_001, Text: "goroutine 88 [chan receive]", Goroutines: []uint64{88, 91}, Count: 1040}},
			Why:      "There are more of them in every dump, and none has left.", Fix: "Give each a way out.", Next: rules.Commands("triage explain TR450"),
		}},
		Rules: schema.RuleCounts{Checked: 43, Fired: 1, Clear: 42},
	}
	for i, n := range []int{230, 420, 690, 1_010, 1_262} {
		r.Dumps = append(r.Dumps, schema.Dump{Input: log, Line: int64(1 + 14_000*i), Time: times[i], Format: "debug2", Goroutines: n, Seen: 1})
	}
	s := schema.Series{Process: "shop/orders-7/orders/0", DumpsTotal: 5, BucketsTotal: 6}
	for i := range r.Dumps {
		d := &r.Dumps[i]
		s.Dumps = append(s.Dumps, schema.SeriesDump{Input: d.Input, Line: d.Line, Time: d.Time, Goroutines: d.Goroutines})
	}
	s.Steps = []schema.SeriesStep{{Stayed: 200, New: 220, Gone: 30}, {Stayed: 390, New: 300, Gone: 30}, {Stayed: 660, New: 350, Gone: 30}, {Stayed: 980, New: 282, Gone: 30}}
	s.Buckets = []schema.SeriesBucket{
		{Function: ask.Function, File: ask.File, Line: 58, Wait: "chan receive", CreatedBy: pkg + "price.(*Desk).Quote",
			Counts: []int{12, 200, 470, 790, 1040}, Stayed: []int{12, 200, 470, 790}, Stuck: 12, Trend: stackparse.TrendGrew},
		{Function: pkg + "stock.(*Shelf).Take", File: "/src/orders/internal/stock/shelf.go", Line: 31, Wait: "mutex",
			Counts: []int{3, 3, 3, 3, 3}, Stayed: []int{3, 3, 3, 3}, Stuck: 3, Trend: stackparse.TrendSteady},
		{Function: pkg + "warm.(*Cache).load", File: "/src/orders/internal/warm/cache.go", Line: 112, Wait: "io", Role: "http-client-connection",
			Counts: []int{40, 12, 2, 1, 0}, Stayed: []int{12, 2, 1, 0}, Trend: stackparse.TrendGone},
		{Function: pkg + "api.(*Server).checkout", File: "/src/orders/internal/api/checkout.go", Line: 58, Wait: "select",
			Counts: []int{30, 28, 31, 29, 30}, Stayed: []int{0, 0, 0, 0}, Trend: stackparse.TrendSteady},
		{Function: "net/http.(*Server).Serve", File: "/usr/local/go/src/net/http/server.go", Line: 3454, Wait: "io", Role: "http-keepalive", Idle: true,
			Counts: []int{60, 90, 120, 150, 180}, Stayed: []int{60, 90, 120, 150}, Stuck: 60, Trend: stackparse.TrendGrew},
	}
	r.Series = []schema.Series{s}
	return r
}

// quietSeriesReport: two dumps of a process in which nothing stands out.
func quietSeriesReport() *schema.Report {
	r := seriesReport()
	r.Findings = nil
	r.Rules = schema.RuleCounts{Checked: 43, Clear: 43}
	r.Dumps = r.Dumps[:2]
	s := &r.Series[0]
	s.Dumps, s.DumpsTotal, s.Steps = s.Dumps[:2], 2, s.Steps[:1]
	s.Buckets = s.Buckets[3:4]
	s.Buckets[0].Counts, s.Buckets[0].Stayed = []int{30, 28}, []int{0}
	return r
}

// diffReport: a release in which a lock's convoy is gone, a leak is new, and a finding stayed.
func diffReport() *schema.Report {
	const pkg = "example.com/shop/orders/internal/"
	leak := seriesReport().Findings[0]
	place := func(fn, file string, line int) rules.Place {
		return rules.Place{Function: pkg + fn, File: "/src/orders/internal/" + file, Line: line}
	}
	convoy := rules.Finding{Rule: "TR406", Name: "lock-convoy", Category: rules.Contention, Severity: rules.High, Confidence: rules.ConfMedium,
		Title: "stock.(*Shelf).Take waits behind one lock", Culprit: place("stock.(*Shelf).Take", "stock/shelf.go", 31)}
	spin := rules.Finding{Rule: "TR104", Name: "tiny-sleep-loop", Category: rules.Spin, Severity: rules.High, Confidence: rules.ConfMedium,
		Title: "feed.(*Hub).poll polls with a sleep of next to nothing", Culprit: place("feed.(*Hub).poll", "feed/hub.go", 88)}
	side := func(path, at string, n, findings int) schema.DiffSide {
		return schema.DiffSide{Inputs: []string{path}, Goroutines: n, Findings: findings,
			Dumps: []schema.DiffDump{{Input: path, Line: 1, Time: at, Go: "1.26", Goroutines: n}}}
	}
	return &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Inputs: []schema.Input{{Path: "release-41.txt", Kind: "goroutine-dump"}, {Path: "release-42.txt", Kind: "goroutine-dump"}},
		Rules:  schema.RuleCounts{Checked: 43, Fired: 2, Clear: 41},
		Diff: &schema.Diff{
			By: schema.ByFunction, Before: side("release-41.txt", "2026-03-01T10:00:00Z", 412, 2), After: side("release-42.txt", "2026-03-02T10:00:00Z", 1_302, 2),
			Findings: schema.DiffFindings{New: []rules.Finding{leak}, Gone: []rules.Finding{convoy}, Both: []rules.Finding{spin}},
			Buckets: []schema.DiffBucket{
				{Function: pkg + "price.(*Desk).ask", File: "/src/desk.go", Line: 58, Wait: "chan receive", Before: 12, After: 1_040, Trend: stackparse.TrendGrew},
				{Function: pkg + "stock.(*Shelf).Take", File: "/src/shelf.go", Line: 31, Wait: "mutex", Before: 140, Trend: stackparse.TrendGone},
				{Function: pkg + "audit.(*Log).flush", File: "/src/audit/log.go", Line: 17, Wait: "select", After: 3, Trend: stackparse.TrendNew},
				{Function: "net/http.(*Server).Serve", File: "/usr/local/go/src/net/http/server.go", Line: 3454, Wait: "io", Role: "http-keepalive", Idle: true, Before: 60, After: 59, Trend: stackparse.TrendSteady},
				{Function: pkg + "feed.(*Hub).poll", File: "/src/hub.go", Line: 88, Wait: "sleep", Before: 200, After: 200, Trend: stackparse.TrendSteady},
			},
			BucketsTotal: 5, Unchanged: 1,
		},
	}
}

// oneProcessReport: two dumps of one process without any finding.
func oneProcessReport() *schema.Report {
	r := diffReport()
	d := r.Diff
	d.By, d.Goroutines = schema.ByGoroutine, &schema.SeriesStep{Stayed: 390, Moved: 2, New: 910, Gone: 20}
	d.Findings = schema.DiffFindings{}
	d.Before.Findings, d.After.Findings = 0, 0
	d.Buckets[0].SameGoroutines = 12
	d.Buckets[3].SameGoroutines = 58
	return r
}

// oneSidedReport: the side before holds no dump.
func oneSidedReport() *schema.Report {
	r := diffReport()
	r.Diff = &schema.Diff{By: schema.ByStack, Before: schema.DiffSide{Inputs: []string{"app.log"}}, After: r.Diff.After}
	r.Inputs[0] = schema.Input{Path: "app.log", Kind: "pod-log", Lines: 4_100}
	r.Advice = []schema.Advice{{Why: "no input contains a goroutine dump.", Commands: rules.Commands("kubectl exec POD -- kill -ABRT 1")}}
	return r
}

// withSeveralDumps are the situations of more than one dump by the name of their golden files.
func withSeveralDumps(all map[string]*schema.Report) map[string]*schema.Report {
	all["series"] = seriesReport()
	all["series-quiet"] = quietSeriesReport()
	all["diff"] = diffReport()
	all["diff-process"] = oneProcessReport()
	all["diff-one-side"] = oneSidedReport()
	return all
}

func TestText_SeriesLeaveOutWhatIsNoNews(t *testing.T) {
	got := text(t, seriesReport(), report.TextOptions{Width: 200})
	for word, want := range map[string]bool{
		"price.(*Desk).ask": true, "+1,028": true, "stock.(*Shelf).Take": true, "3 stuck": true, "warm.(*Cache).load": true,
		"api.(*Server).checkout": false, // requests: others in every dump
		"http.(*Server).Serve":   false, // may wait for ever
	} {
		if strings.Contains(got, word) != want {
			t.Errorf("%q is there: %v", word, !want)
		}
	}
	if all := text(t, seriesReport(), report.TextOptions{All: true}); !strings.Contains(all, "http.(*Server).Serve") || !strings.Contains(all, "api.(*Server).checkout") {
		t.Errorf("--all leaves groups out:\n%s", all)
	}
}

func TestText_SeriesOfManyDumpsKeepTheFirstAndTheLastColumn(t *testing.T) {
	for _, width := range []int{60, 80, 120, 200} {
		got := text(t, seriesReport(), report.TextOptions{Width: width})
		if !strings.Contains(got, "dump 1 ") || !strings.Contains(got, "dump 5 ") || !strings.Contains(got, "1,262") {
			t.Errorf("width %d:\n%s", width, got)
		}
	}
}

func TestText_ManyProcessesHaveThreeGridsAndANumber(t *testing.T) {
	r := seriesReport()
	for range 9 {
		r.Series = append(r.Series, r.Series[0])
	}
	r.Series = append([]schema.Series{quietSeriesReport().Series[0]}, r.Series...)
	got := text(t, r, report.TextOptions{Width: 120})
	if n := strings.Count(got, "OVER TIME"); n != 3 || !strings.Contains(got, "+8 more processes with several dumps") || strings.Contains(got, "nothing grew") {
		t.Errorf("%d grids:\n%s", n, got)
	}
}

func TestText_RowsBeyondEightAreCounted(t *testing.T) {
	r := seriesReport()
	for range 20 {
		r.Series[0].Buckets = append(r.Series[0].Buckets, r.Series[0].Buckets[0])
	}
	got := text(t, r, report.TextOptions{Width: 120})
	if n := strings.Count(got, "grew"); n > 10 || !strings.Contains(got, "+15 more groups that changed or are stuck") {
		t.Errorf("%d rows:\n%s", n, got)
	}
}

func TestText_DiffCountsWhatChanceExplains(t *testing.T) {
	got := text(t, diffReport(), report.TextOptions{Width: 120})
	if strings.Contains(got, "http.(*Server).Serve") || !strings.Contains(got, "+1 more group") {
		t.Errorf("a role within chance has a row, or is not counted:\n%s", got)
	}
	if all := text(t, diffReport(), report.TextOptions{Width: 120, All: true}); !strings.Contains(all, "http.(*Server).Serve") {
		t.Errorf("--all leaves it out:\n%s", all)
	}
}

func TestText_HostileSeriesAndDiffsAreEscaped(t *testing.T) {
	series, diff := seriesReport(), diffReport()
	s := &series.Series[0]
	s.Process = nasty + "/x"
	s.Dumps[0].Time, s.Dumps[4].Time = nasty, "later"
	s.Buckets[0].Function, s.Buckets[0].File, s.Buckets[0].Wait, s.Buckets[0].Role = nasty, "/src/"+nasty, nasty, nasty
	s.Buckets[1].Counts = nil
	b := &diff.Diff.Buckets[0]
	b.Function, b.File, b.Wait, b.Role = nasty, nasty, nasty, nasty
	diff.Diff.Before.Dumps[0].Signal, diff.Diff.Before.Dumps[0].Go, diff.Diff.Before.Dumps[0].Time = nasty, nasty, nasty
	diff.Diff.Findings.Gone[0].Title = nasty
	for _, r := range []*schema.Report{series, diff} {
		for _, width := range []int{40, 80, 200} {
			got := text(t, r, report.TextOptions{Width: width, All: true})
			for _, c := range got {
				if c != '\n' && (c < ' ' || c >= 0x7f && c < 0xa0 || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069) {
					t.Fatalf("width %d holds %U:\n%q", width, c, got)
				}
			}
		}
	}
}

func TestTheLastDumpIsThatOfTheSeriesWhereNoTimesShowTheOrder(t *testing.T) {
	r := quietSeriesReport()
	before, after := &r.Dumps[0], &r.Dumps[1]
	before.Input, before.Time, before.Process = "before.txt", "", "process 1"
	after.Input, after.Time, after.Process = "after.txt", "", "process 1"
	s := &r.Series[0]
	s.Process = "process 1"
	s.Dumps[0].Input, s.Dumps[0].Time = "before.txt", ""
	s.Dumps[1].Input, s.Dumps[1].Time = "after.txt", ""
	r.Dumps[0], r.Dumps[1] = *after, *before // inputs are read in order of their names
	const want = "each of 420 goroutines is in a known role, in usual numbers"
	if got := text(t, r, report.TextOptions{Width: 100}); !strings.Contains(got, want) {
		t.Errorf("no %q in\n%s", want, got)
	}
	s.Dumps[0], s.Dumps[1] = s.Dumps[1], s.Dumps[0]
	const other = "each of 230 goroutines is in a known role, in usual numbers"
	if got := text(t, r, report.TextOptions{Width: 100}); !strings.Contains(got, other) {
		t.Errorf("no %q in\n%s", other, got)
	}
}

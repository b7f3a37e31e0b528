package triage

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
	"github.com/gotriage/triage/triage/schema"
)

func compareOn(t *testing.T, before, after string) *schema.Report {
	t.Helper()
	r, err := Compare(t.Context(), []string{before}, []string{after}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if r.Diff == nil || len(r.Findings) > 0 || len(r.Dumps) > 0 {
		t.Fatalf("no comparison, or a report of its own: %+v", r)
	}
	return r
}

func diffRow(t *testing.T, d *schema.Diff, fn string) schema.DiffBucket {
	t.Helper()
	i := slices.IndexFunc(d.Buckets, func(b schema.DiffBucket) bool { return strings.HasSuffix(b.Function, fn) })
	if i < 0 {
		t.Fatalf("no %s in %+v", fn, d.Buckets)
	}
	return d.Buckets[i]
}

func ids(fs []rules.Finding) string {
	var all []string
	for _, f := range fs {
		all = append(all, f.Rule)
	}
	return strings.Join(all, " ")
}

func TestCompare_TwoDumpsOfOneProcessGoByGoroutineAndByTheRulesForTwo(t *testing.T) {
	dir := t.TempDir()
	r := compareOn(t, write(t, dir, "1.txt", shopDump(30, 50, "c000", 0)), write(t, dir, "2.txt", shopDump(30, 130, "c000", 0)))
	d := r.Diff
	if d.By != schema.ByGoroutine || d.Goroutines == nil || *d.Goroutines != (schema.SeriesStep{Stayed: 41, New: 80}) {
		t.Fatalf("by %s: %+v", d.By, d.Goroutines)
	}
	if b := d.Buckets[0]; b.Before != 20 || b.After != 100 || b.SameGoroutines != 20 || b.Trend != stackparse.TrendGrew {
		t.Errorf("first bucket %+v", b)
	}
	if d.Unchanged != 2 || d.BucketsTotal != 3 {
		t.Errorf("%d of %d unchanged", d.Unchanged, d.BucketsTotal)
	}
	if !strings.Contains(ids(d.Findings.New), "TR450") {
		t.Errorf("new findings %q: the growth is none", ids(d.Findings.New))
	}
}

func TestCompare_ASignalsDumpAndOneOfPprofDifferInNothingThatOnlyOnePrints(t *testing.T) {
	for _, c := range []struct{ pprof, signal string }{
		{"zoo-debug2.txt", "zoo-signal.txt"},
		{"stuck2-mixed-send-debug2.txt", "stuck2-mixed-send.txt"},
	} {
		dir := captures.Unpack(t, "../testdata/dumps/go1.26.tar.zst", c.pprof, c.signal)
		r := compareOn(t, filepath.Join(dir, c.pprof), filepath.Join(dir, c.signal))
		// What changed is the goroutine that wrote the first dump.
		for _, b := range r.Diff.Buckets {
			if b.Before != b.After && (b.Before > 1 || b.After > 1 || strings.HasPrefix(b.Function, "runtime.")) {
				t.Errorf("%s: %+v differs", c.signal, b)
			}
		}
		if r.Diff.Goroutines == nil || r.Diff.Goroutines.New > 0 || len(r.Leads) > 0 {
			t.Errorf("%s: new goroutines, or new leads: %+v, %+v", c.signal, r.Diff.Goroutines, r.Leads)
		}
	}
}

func TestCompare_DumpsOfDifferentProcessesGoByStack(t *testing.T) {
	dir := t.TempDir()
	d := compareOn(t, write(t, dir, "1.txt", shopDump(30, 50, "c000", 0)), write(t, dir, "2.txt", shopDump(30, 130, "c777", 0))).Diff
	if d.By != schema.ByStack || d.Goroutines != nil {
		t.Fatalf("by %s", d.By)
	}
	if b := diffRow(t, d, "ask"); b.Before != 20 || b.After != 100 || b.SameGoroutines != 0 {
		t.Errorf("%+v", b)
	}
	if strings.Contains(ids(d.Findings.New), "TR450") {
		t.Error("two processes grew")
	}
}

func TestCompare_OtherBuildsGoByFunction(t *testing.T) {
	dir := t.TempDir()
	d := compareOn(t, write(t, dir, "1.txt", shopDump(30, 50, "c000", 0)), write(t, dir, "2.txt", shopDump(30, 130, "c777", 7))).Diff
	if d.By != schema.ByFunction {
		t.Fatalf("by %s", d.By)
	}
	if b := diffRow(t, d, "ask"); b.Before != 20 || b.After != 100 || b.Line != 65 {
		t.Errorf("%+v, want the line of the after side", b)
	}
}

func TestCompare_ASideIsTheLastDumpOfEachProcess(t *testing.T) {
	dir := t.TempDir()
	log := shopDump(30, 40, "c000", 0) + "a line of the log\n" + shopDump(30, 50, "c000", 0)
	d := compareOn(t, write(t, dir, "1.txt", log), write(t, dir, "2.txt", shopDump(30, 130, "c000", 0))).Diff
	if len(d.Before.Dumps) != 1 || d.Before.Dumps[0].Goroutines != 41 || d.Before.Dumps[0].Line < 2 {
		t.Errorf("before %+v", d.Before)
	}
	two := t.TempDir()
	write(t, two, "a.txt", shopDump(30, 40, "c000", 0))
	write(t, two, "b.txt", shopDump(30, 50, "c777", 0))
	d = compareOn(t, two, write(t, dir, "3.txt", shopDump(30, 35, "c000", 0))).Diff
	if len(d.Before.Dumps) != 2 || d.Before.Goroutines != 72 || d.By != schema.ByStack {
		t.Errorf("two processes: by %s, %+v", d.By, d.Before)
	}
	if b := diffRow(t, d, "ask"); b.Before != 30 || b.After != 5 {
		t.Errorf("%+v", b)
	}
}

func TestCompare_AReportIsAsGoodAsItsDumps(t *testing.T) {
	dir := t.TempDir()
	before, after := write(t, dir, "1.txt", shopDump(30, 50, "c000", 0)), write(t, dir, "2.txt", shopDump(30, 90, "c777", 0))
	want := compareOn(t, before, after).Diff
	for _, side := range []string{"before", "after", "both"} {
		sides := [2]string{before, after}
		for i, name := range []string{"before", "after"} {
			if side == name || side == "both" {
				data, err := json.Marshal(runOn(t, sides[i]))
				if err != nil {
					t.Fatal(err)
				}
				sides[i] = write(t, dir, side+name+".json", string(data))
			}
		}
		got := compareOn(t, sides[0], sides[1]).Diff
		if diff := cmp.Diff(want.Buckets, got.Buckets); diff != "" || got.By != want.By || got.Unchanged != want.Unchanged {
			t.Errorf("%s as a report: by %s\n%s", side, got.By, diff)
		}
	}
}

func TestCompare_ASideWithoutADumpIsNotRecognised(t *testing.T) {
	dir := t.TempDir()
	r := compareOn(t, write(t, dir, "1.txt", "nothing\n"), write(t, dir, "2.txt", shopDump(30, 50, "c000", 0)))
	if r.Recognised() || len(r.Advice) == 0 || len(r.Diff.Buckets) != 0 {
		t.Errorf("recognised %v, advice %v", r.Recognised(), r.Advice)
	}
}

func TestCompare_TakesNoOtherReports(t *testing.T) {
	dir := t.TempDir()
	dump := write(t, dir, "2.txt", shopDump(30, 50, "c000", 0))
	for name, text := range map[string]string{
		"broken":       `{"schema": "triage/v1", "dumps": [{"buckets": 3}]}`,
		"of tomorrow":  `{"schema": "triage/v9"}`,
		"a comparison": `{"schema": "triage/v1", "diff": {"by": "stack"}}`,
	} {
		r := compareOn(t, write(t, dir, "r.json", text), dump)
		if len(r.Skipped) != 1 || r.Skipped[0].Hint == "" || !r.Unreadable() {
			t.Errorf("%s: skipped %+v", name, r.Skipped)
		}
	}
}

func TestCompare_HostileReportsCostNothingElse(t *testing.T) {
	dir := t.TempDir()
	dump := write(t, dir, "2.txt", shopDump(30, 50, "c000", 0))
	report := `{"schema": "triage/v1", "dumps": [{"format": "debug2", "goroutines": -5, "buckets": [{"count": -3, "goroutines": [1, 2]}]},
		{"format": "signal", "goroutines": 9223372036854775807, "buckets": [{"count": 9223372036854775807, "wait": "x", "frames": [{"elided": -1}, {"elided": 7}, {}]},
		{"count": 9223372036854775807, "created_by": {"function": "f"}}]}]}`
	d := compareOn(t, write(t, dir, "r.json", report), dump).Diff
	for _, b := range d.Buckets {
		if b.Before < 0 || b.After < 0 {
			t.Errorf("%+v", b)
		}
	}
}

package report_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/triage/schema"
)

// profileDiffReport: a release that copies more; one function is gone, one changed by chance, and http dispatches.
func profileDiffReport() *schema.Report {
	const pkg = "example.com/shop/orders/internal/"
	own := func(fn, file string, before, after float64, noise bool, callers ...schema.CallerDelta) schema.ProfileDelta {
		return schema.ProfileDelta{Function: pkg + fn, File: "/src/" + file, Line: 58, Class: "own", Before: before, After: after,
			Change: after - before, Noise: noise, Callers: callers}
	}
	payers := []schema.ProfileDelta{
		own("price.(*Desk).quote", "desk.go", 0.25, 1.5, false,
			schema.CallerDelta{Function: pkg + "api.(*Server).checkout", Class: "own", Before: 0.25, After: 1.25, Change: 1},
			schema.CallerDelta{Function: pkg + "api.(*Server).preview", Class: "own", After: 0.25, Change: 0.25}),
		own("feed.(*Hub).poll", "hub.go", 0.1, 0.11, true),
		own("stock.(*Shelf).Take", "shelf.go", 0.5, 0, false),
	}
	functions := append([]schema.ProfileDelta{
		{Function: "net/http.(*conn).serve", File: "/go/server.go", Line: 2102, Class: "stdlib", Before: 1, After: 2, Change: 1, Dispatches: true},
		{Function: "runtime.memmove", File: "/go/memmove.s", Line: 30, Class: "runtime", Before: 0.1, After: 0.9, Change: 0.8,
			Callers: []schema.CallerDelta{{Function: pkg + "price.(*Desk).quote", Class: "own", Before: 0.1, After: 0.9, Change: 0.8}}},
	}, payers...)
	side := func(path string, cores float64) schema.DiffProfile {
		return schema.DiffProfile{Inputs: []string{path}, Go: "1.26", Program: "example.com/shop/orders", Value: cores, Total: int64(cores * 30e9),
			Duration: 30e9, Samples: int64(cores * 3000), Cores: cores}
	}
	return &schema.Report{
		Schema: schema.Schema, Tool: tool(),
		Inputs: []schema.Input{{Path: "release-41.pb.gz", Kind: "profile"}, {Path: "release-42.pb.gz", Kind: "profile"}},
		Rules:  schema.RuleCounts{Checked: 43, Clear: 43},
		Diff: &schema.Diff{By: schema.ByFunction, Before: schema.DiffSide{Inputs: []string{"release-41.pb.gz"}, Profiles: 1},
			After: schema.DiffSide{Inputs: []string{"release-42.pb.gz"}, Profiles: 1},
			Profiles: []schema.ProfileDiff{{Kind: "cpu", Type: "cpu", Unit: "nanoseconds", Rate: "cores", Before: side("release-41.pb.gz", 1),
				After: side("release-42.pb.gz", 1.75), Change: 0.75, OtherBuild: true, Payers: payers, Functions: functions}},
		},
	}
}

func TestText_ProfilesSayWhatGotHotterAndWhoCallsIt(t *testing.T) {
	for _, width := range []int{60, 80, 200} {
		got := strings.Join(strings.Fields(text(t, profileDiffReport(), report.TextOptions{Width: width})), " ")
		last := 0
		for _, want := range []string{
			"CPU use went up from 1.0 cores to 1.8 cores (+0.75 cores), most of all in price.(*Desk).quote (+1.2 cores)",
			"HOTTER", "price.(*Desk).quote desk.go:58", "called by api.(*Server).checkout (+1.0 cores), api.(*Server).preview (+0.25 cores)",
			"runtime.memmove memmove.s:30", "COOLER", "stock.(*Shelf).Take", "WITHIN NOISE",
			"CPU seconds per second (30 s before, 30 s after)", "different builds: lines may have moved",
		} {
			i := strings.Index(got[last:], want)
			if i < 0 {
				t.Fatalf("width %d: no %q behind byte %d:\n%s", width, want, last, got)
			}
			last += max(i, 0)
		}
		for _, not := range []string{"conn).serve", "Hub).poll", "no goroutine dump"} {
			if strings.Contains(got, not) {
				t.Errorf("width %d holds %q", width, not)
			}
		}
	}
	if all := text(t, profileDiffReport(), report.TextOptions{All: true}); !strings.Contains(all, "Hub).poll") {
		t.Error("--all leaves out what may be chance")
	}
}

func TestText_ProfilesThatAreAlikeHaveNoRows(t *testing.T) {
	r := profileDiffReport()
	p := &r.Diff.Profiles[0]
	p.Payers, p.Functions, p.Noise, p.Change = nil, nil, true, 0
	got := strings.Join(strings.Fields(text(t, r, report.TextOptions{Width: 200})), " ")
	if strings.Contains(got, "HOTTER") || strings.Contains(got, "COOLER") || !strings.Contains(got, "no function changed beyond noise") {
		t.Error(got)
	}
}

func TestText_ManyProfileRowsAreCounted(t *testing.T) {
	r := profileDiffReport()
	p := &r.Diff.Profiles[0]
	for i := range 30 {
		d := p.Payers[0]
		d.Function = fmt.Sprintf("example.com/shop/orders.step%d", i)
		p.Payers = append(p.Payers, d)
	}
	got := text(t, r, report.TextOptions{Width: 120})
	if !strings.Contains(got, "+25 more functions") || strings.Count(got, "orders.step") != 5 {
		t.Error(got)
	}
}

func TestText_HostileProfileDiffsAreEscaped(t *testing.T) {
	r := profileDiffReport()
	p := &r.Diff.Profiles[0]
	p.Kind, p.Unit, p.Rate, p.After.Go, p.Before.Inputs = nasty, nasty, nasty, nasty, []string{nasty, nasty}
	p.Payers[0].Function, p.Payers[0].File, p.Payers[0].Callers[0].Function = nasty, nasty, nasty
	p.Functions[1].Function, p.Payers[2].Change = nasty, -1e300
	for _, width := range []int{40, 80, 200} {
		for _, c := range text(t, r, report.TextOptions{Width: width, All: true}) {
			if c != '\n' && (c < ' ' || c >= 0x7f && c < 0xa0 || c >= 0x202a && c <= 0x202e || c >= 0x2066 && c <= 0x2069) {
				t.Fatalf("width %d holds %U", width, c)
			}
		}
	}
}

func TestJSON_ProfileDiffsKeepToTheSchema(t *testing.T) {
	data := asJSON(t, profileDiffReport())
	if err := validate(t, compile(t, closed(schemaDocument(t))), data); err != nil {
		t.Error(err)
	}
	if strings.Contains(string(data), "null") {
		t.Error("an array is null")
	}
}

package triage_test

import (
	"cmp"
	"encoding/csv"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/steptest"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
	"github.com/gotriage/triage/triage/schema"
)

// bundlesDir holds support bundles of testdata/gen/bundles and MANIFEST.tsv, which says what is wrong in each.
const bundlesDir = "../testdata/bundles"

// A bundleRow is a line of the manifest. Empty fields claim nothing.
type bundleRow struct {
	file, layout, verdict string
	severity              rules.Severity // the least of the first finding
	categories            []string       // one of them is the first finding's
	objects               []string       // one of them is its object's name
	actors                []string       // all of them are among its actors; "none" where it must have none
	field                 string         // its text names it
	rules                 []string       // a word of the rule's name begins with one of them
	culprits              []string       // its culprit ends with one of them; "none" where it must have none
	why                   string
}

func bundleManifest(t *testing.T) []bundleRow {
	t.Helper()
	f, err := os.Open(filepath.Join(bundlesDir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma, r.LazyQuotes = '\t', true
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	list := func(s, sep string) []string {
		if s == "-" {
			return nil
		}
		return strings.Split(s, sep)
	}
	var rows []bundleRow
	for _, c := range records[1:] {
		rows = append(rows, bundleRow{
			file: c[0], layout: c[1], verdict: c[2], severity: rules.Medium, categories: list(c[4], "|"), objects: list(c[5], "|"),
			actors: list(c[6], ","), field: strings.TrimPrefix(c[7], "-"), rules: list(c[8], "|"), culprits: list(c[9], "|"), why: c[10],
		})
		if c[3] != "-" {
			rows[len(rows)-1].severity = rules.Severity(c[3])
		}
	}
	return rows
}

// TestBundles reads every bundle alone. In a guilty one the first finding must be the planted fault; in a healthy one
// nothing above low may be found.
func TestBundles(t *testing.T) {
	rows := bundleManifest(t)
	layouts := map[string]int{}
	for _, row := range rows {
		if row.verdict == "healthy" {
			layouts[row.layout]++
		}
		t.Run(row.file, func(t *testing.T) {
			t.Parallel()
			r, err := triage.Run(t.Context(), triage.Options{Inputs: []string{filepath.Join(bundlesDir, row.file)}})
			if err != nil {
				t.Fatal(err)
			}
			steptest.CheckReport(t, r)
			if row.verdict == "healthy" {
				wantQuiet(t, r)
				return
			}
			wantFirst(t, row, r)
		})
	}
	if len(layouts) < 6 {
		t.Errorf("healthy bundles in %d layouts, want at least 6: %v", len(layouts), layouts)
	}
}

// wantQuiet fails for each finding above low.
func wantQuiet(t *testing.T, r *schema.Report) {
	t.Helper()
	if len(r.Inputs) == 0 {
		t.Error("nothing was read")
	}
	for _, f := range r.Findings {
		if f.Severity.Rank() > rules.Low.Rank() {
			t.Errorf("healthy, but %s\n%s", brief(f), evidenceOf(f))
		}
	}
}

// wantFirst compares the first finding with the manifest.
func wantFirst(t *testing.T, row bundleRow, r *schema.Report) {
	t.Helper()
	if len(r.Findings) == 0 {
		t.Fatalf("nothing was found, want %s: %s", strings.Join(row.categories, " or "), row.why)
	}
	f := r.Findings[0]
	if !slices.Contains(row.categories, string(f.Category)) || f.Severity.Rank() < row.severity.Rank() {
		t.Errorf("first is %s, want at least %s in %v", brief(f), row.severity, row.categories)
	}
	if row.objects != nil && (f.Object == nil || !slices.Contains(row.objects, f.Object.Name)) {
		t.Errorf("first is about %v, want one of %v: %s", f.Object, row.objects, brief(f))
	}
	for _, a := range row.actors {
		if !slices.Contains(f.Actors, a) && (a != "none" || len(f.Actors) > 0) {
			t.Errorf("actors are %v, want %s too: %s", f.Actors, a, brief(f))
		}
	}
	if row.field != "" && !strings.Contains(tellsOf(f), row.field) {
		t.Errorf("%s: it does not say %q:\n%s", brief(f), row.field, tellsOf(f))
	}
	if row.rules != nil && !slices.ContainsFunc(strings.Split(f.Name, "-"), func(word string) bool {
		return slices.ContainsFunc(row.rules, func(want string) bool { return strings.HasPrefix(word, want) })
	}) {
		t.Errorf("the rule is %s, want a word of %v", f.Name, row.rules)
	}
	if row.culprits != nil && !slices.ContainsFunc(row.culprits, func(want string) bool {
		return strings.Contains(f.Culprit.Function, want) || want == "none" && f.Culprit.Function == ""
	}) {
		t.Errorf("the culprit is %q, want one of %v: %s", f.Culprit.Function, row.culprits, brief(f))
	}
}

// brief is a finding in one line.
func brief(f rules.Finding) string {
	return string(f.Severity) + " " + string(f.Category) + " (" + f.Rule + " " + f.Name + "): " + f.Title
}

// tellsOf is all that a finding says.
func tellsOf(f rules.Finding) string {
	parts := []string{f.Title, f.Why, f.Fix}
	parts = append(parts, f.Notes...)
	for _, e := range f.Evidence {
		parts = append(parts, e.Text)
	}
	return strings.Join(parts, "\n")
}

func evidenceOf(f rules.Finding) string {
	var b strings.Builder
	for _, e := range f.Evidence {
		b.WriteString("  " + cmp.Or(e.Input, "-") + ": " + e.Text + "\n")
	}
	return b.String()
}

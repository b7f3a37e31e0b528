package triage_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

// dumpsDir holds the dumps of testdata/gen's programs and MANIFEST.tsv, which says of each what its program did.
const dumpsDir = "../testdata/dumps"

// A row is a line of the manifest: a dump, the program that left it and what it is guilty of.
type row struct {
	file, program, kind, version, format string
	goroutines                           int // headers counted without a parser, -1 where the format has none
	culprit, category                    string
}

func manifest(t *testing.T) []row {
	t.Helper()
	f, err := os.Open(filepath.Join(dumpsDir, "MANIFEST.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r := csv.NewReader(f)
	r.Comma = '\t'
	r.LazyQuotes = true
	records, err := r.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []row
	for _, rec := range records[1:] {
		n := -1
		if rec[5] != "-" {
			if n, err = strconv.Atoi(rec[5]); err != nil {
				t.Fatalf("%s: %v", rec[0], err)
			}
		}
		rows = append(rows, row{rec[0], rec[1], rec[2], rec[3], rec[4], n, rec[6], rec[7]})
	}
	return rows
}

func (r row) run(t *testing.T) *triage.Report {
	t.Helper()
	rep, err := triage.Run(t.Context(), triage.Options{Inputs: []string{filepath.Join(dumpsDir, r.file)}})
	if err != nil {
		t.Fatal(err)
	}
	return rep
}

func TestEveryGoroutineOfTheManifestIsCounted(t *testing.T) {
	for _, r := range manifest(t) {
		if r.goroutines < 0 {
			continue
		}
		n := 0
		for _, d := range r.run(t).Dumps {
			n += d.Goroutines * max(d.Seen, 1)
		}
		if n != r.goroutines {
			t.Errorf("%s: %d goroutines, its lines hold %d headers", r.file, n, r.goroutines)
		}
	}
}

func TestTheManifestsInnocentsAreNotAccused(t *testing.T) {
	for _, r := range manifest(t) {
		if r.category != "none" {
			continue
		}
		for _, f := range r.run(t).Findings {
			if f.Severity.Rank() > rules.Low.Rank() {
				t.Errorf("%s: %s (%s)", r.file, f.Title, f.Rule)
			}
		}
	}
}

func TestTheManifestsGuiltyAreNamedFirst(t *testing.T) {
	for _, r := range manifest(t) {
		if r.category == "none" || r.category == "any" {
			continue
		}
		fs := r.run(t).Findings
		switch {
		case len(fs) == 0:
			t.Errorf("%s: nothing found", r.file)
		case string(fs[0].Category) != r.category || fs[0].Culprit.Function != r.culprit || fs[0].Severity.Rank() < rules.High.Rank():
			t.Errorf("%s: %s %s %s, want %s %s", r.file, fs[0].Rule, fs[0].Category, fs[0].Culprit.Function, r.category, r.culprit)
		}
	}
	_ = strings.Contains
}

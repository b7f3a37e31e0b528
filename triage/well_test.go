package triage_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/gotriage/triage/internal/steptest"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

// wellDir holds dumps of programs that do their work: a folder a program.
const wellDir = "../testdata/well"

// How many programs there are, and dumps of each at least: ten by a signal, each of a process of its own, and ten of
// one process over time. With fewer the test would claim less than it says.
const (
	wellPrograms   = 22
	dumpsOfProgram = 20
)

// TestHealthyPrograms reads each dump alone, the dumps of one process together, and dumps of three processes together:
// nobody may be accused of more than a trifle.
func TestHealthyPrograms(t *testing.T) {
	folders, err := filepath.Glob(filepath.Join(wellDir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	if len(folders) < wellPrograms {
		t.Fatalf("%d programs in %s, want at least %d", len(folders), wellDir, wellPrograms)
	}
	for _, folder := range folders {
		t.Run(filepath.Base(folder), func(t *testing.T) {
			t.Parallel()
			files, err := filepath.Glob(filepath.Join(folder, "*.txt.gz"))
			if err != nil {
				t.Fatal(err)
			}
			if len(files) < dumpsOfProgram {
				t.Fatalf("%d dumps in %s, want at least %d", len(files), folder, dumpsOfProgram)
			}
			for _, file := range files {
				wantWell(t, file)
			}
			series := seriesIn(files)
			for _, name := range slices.Sorted(maps.Keys(series)) {
				together := series[name]
				if strings.HasSuffix(name, "signal") {
					together = together[:min(len(together), 3)]
				}
				wantWell(t, together...)
			}
		})
	}
}

// numbered matches what distinguishes a dump from others of its series: "debug2-03.txt.gz".
var numbered = regexp.MustCompile(`-\d+\.txt\.gz$`)

// seriesIn groups files by what comes before the number: "debug2" and "go1.18-debug2" are of one process each, the
// files of "signal" of as many processes as there are files.
func seriesIn(files []string) map[string][]string {
	series := map[string][]string{}
	for _, file := range files {
		name := numbered.ReplaceAllString(filepath.Base(file), "")
		series[name] = append(series[name], file)
	}
	return series
}

// wantWell fails the test where the files hold no dump each, or a finding above low comes of them.
func wantWell(t *testing.T, files ...string) {
	t.Helper()
	r, err := triage.Run(t.Context(), triage.Options{Inputs: files})
	if err != nil {
		t.Fatalf("%s: %v", filesNamed(files), err)
	}
	steptest.CheckReport(t, r)
	if len(r.Dumps) != len(files) {
		t.Errorf("%s: %d dumps, want %d", filesNamed(files), len(r.Dumps), len(files))
	}
	for _, f := range r.Findings {
		if f.Severity.Rank() > rules.Low.Rank() {
			t.Errorf("%s: %s %s %s: %s", filesNamed(files), f.Rule, f.Name, f.Severity, f.Title)
		}
	}
}

// filesNamed is "chat/debug2-01.txt.gz", with how many more there are.
func filesNamed(files []string) string {
	first := filepath.Join(filepath.Base(filepath.Dir(files[0])), filepath.Base(files[0]))
	if len(files) == 1 {
		return first
	}
	return fmt.Sprintf("%s and %d more together", first, len(files)-1)
}

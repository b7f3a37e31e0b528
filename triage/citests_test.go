package triage_test

import (
	"bytes"
	"context"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gotriage/triage/internal/captures"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage"
)

// A ciForm is what a CI system writes around the lines of a step.
type ciForm struct {
	name  string
	write func(lines []string) string
}

// ciForms are those of GitHub's log archive (a byte order mark, times with seven decimals, groups, colours), of
// `gh run view --log`, and of GitLab's job log without and with FF_TIMESTAMPS.
func ciForms() []ciForm {
	stamp := func(i int, layout string) string {
		start := time.Date(2026, 11, 29, 18, 48, 8, 123456700, time.UTC)
		return start.Add(time.Duration(i) * time.Millisecond).Format(layout)
	}
	github := func(lines []string) (all []string) {
		head := []string{"##[group]Run go test ./...", "\x1b[36;1mgo test ./...\x1b[0m", "shell: /usr/bin/bash -e {0}",
			"##[endgroup]"}
		for i, l := range slices.Concat(head, lines, []string{"##[error]Process completed with exit code 1."}) {
			all = append(all, stamp(i, "2006-01-02T15:04:05.0000000Z ")+l)
		}
		return all
	}
	gitlab := func(lines []string) []string {
		return slices.Concat([]string{
			"section_start:1796064488:step_script\r\x1b[0K\x1b[36;1mExecuting \"step_script\" stage\x1b[0;m",
			"\x1b[32;1m$ go test ./...\x1b[0;m",
		}, lines, []string{"section_end:1796064490:step_script\r\x1b[0K\x1b[31;1mERROR: Job failed: exit code 1\x1b[0;m"})
	}
	each := func(lines []string, prefix func(i int) string) string {
		var b strings.Builder
		for i, l := range lines {
			b.WriteString(prefix(i) + l + "\n")
		}
		return b.String()
	}
	none := func(int) string { return "" }
	return []ciForm{
		{"as printed", func(lines []string) string { return each(lines, none) }},
		{"github", func(lines []string) string { return "\ufeff" + each(github(lines), none) }},
		{"gh run view", func(lines []string) string {
			return each(github(lines), func(int) string { return "test\tRun go test ./...\t" })
		}},
		{"gitlab", func(lines []string) string { return each(gitlab(lines), none) }},
		{"gitlab stamped", func(lines []string) string {
			return each(gitlab(lines), func(i int) string { return stamp(i, "2006-01-02T15:04:05.000000Z ") + "01O " })
		}},
	}
}

// ciLabels are the failing tests: the lines to look at, and the name of the test where a line shows it.
func ciLabels(t *testing.T) map[string]captures.Case {
	t.Helper()
	labels := map[string]captures.Case{}
	for _, half := range []string{"dev", "unseen"} {
		cases, err := captures.ReadCases("../testdata/citests/" + half + ".yaml")
		if err != nil {
			t.Fatal(err)
		}
		for _, c := range cases {
			labels[c.Name] = c
		}
	}
	return labels
}

func TestTheLineAndTheTestAreNamedFirstInOutputOfGoTest(t *testing.T) {
	labels := ciLabels(t)
	files, err := filepath.Glob("../testdata/citests/*")
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for _, file := range files {
		name, form, _ := strings.Cut(filepath.Base(file), ".")
		if form == "yaml" {
			continue
		}
		label, failing := labels[name]
		if failing && form == "txt" {
			seen++
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range ciForms() {
			t.Run(name+" "+form+" "+f.name, func(t *testing.T) {
				r, err := triage.Run(context.Background(), triage.Options{
					Inputs: []string{"-"}, Stdin: strings.NewReader(f.write(strings.Split(string(text), "\n"))),
				})
				switch {
				case err != nil:
					t.Fatal(err)
				case !failing && (len(r.Leads) > 0 || r.Recognised()):
					t.Errorf("%d leads, recognised: %v; want nothing to look at", len(r.Leads), r.Recognised())
				case failing:
					checkLead(t, r, label)
				}
			})
		}
	}
	if seen != len(labels) {
		t.Errorf("%d of %d labelled cases have a capture", seen, len(labels))
	}
}

func checkLead(t *testing.T, r *triage.Report, label captures.Case) {
	t.Helper()
	if len(r.Leads) == 0 || len(r.Findings) == 0 {
		t.Fatal("no lead")
	}
	at := r.Leads[0].Culprit
	if place := fmt.Sprintf("%s:%d", path.Base(at.File), at.Line); !slices.Contains(label.RootCause.Line, place) {
		t.Errorf("leads to %s, want one of %v", place, label.RootCause.Line)
	}
	if f := r.Findings[0]; len(label.Details) > 0 {
		test := label.Details[0].Text
		named := slices.ContainsFunc(f.Notes, func(n string) bool {
			return strings.HasPrefix(n,
				"In test "+test)
		})
		if !named || !strings.Contains(f.Next[0].Command, "^"+strings.Split(test, "/")[0]+"$") {
			t.Errorf("notes %q, next %q: want test %s", f.Notes, f.Next[0].Command, test)
		}
	}
}

func TestEachTestBinaryOfOneLogIsAProcessOfItsOwn(t *testing.T) {
	labels := ciLabels(t)
	var all bytes.Buffer
	for _, name := range slices.Sorted(maps.Keys(labels)) {
		text, err := os.ReadFile("../testdata/citests/" + name + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		all.Write(text)
	}
	r, err := triage.Run(context.Background(), triage.Options{Inputs: []string{"-"}, Stdin: &all})
	if err != nil {
		t.Fatal(err)
	}
	for name, label := range labels {
		if !slices.ContainsFunc(r.Findings, func(f rules.Finding) bool {
			place := fmt.Sprintf("%s:%d", path.Base(f.Culprit.File), f.Culprit.Line)
			return f.Alarm() && slices.Contains(label.RootCause.Line, place)
		}) {
			t.Errorf("no alarm about %s, among %d findings", name, len(r.Findings))
		}
	}
}

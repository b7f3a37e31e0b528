package triage_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// A wildBug is one record of the lab's list of bugs: what a capture of it should show, written before the first one was
// taken. testdata/gen/wild/README.md describes the keys.
type wildBug struct {
	Name, Half, Kind, Module, Report, Category string
	Also, Culprit, Accept, Forms               []string
	Least                                      rules.Severity `yaml:"min_severity"`
	// Corrected is what the label should have said, for labels that turned out wrong; the record's note says why.
	Corrected struct {
		Forms []string
		Least rules.Severity `yaml:"min_severity"`
	}
	Note string
	// Contended is set for a healthy program that holds a lock for long: a finding that says so is true.
	Contended bool
}

// corrected is the label with its corrections; itself where there are none.
func (b *wildBug) corrected() *wildBug {
	if len(b.Corrected.Forms) == 0 {
		return b
	}
	c := *b
	c.Forms, c.Least = b.Corrected.Forms, b.Corrected.Least
	return &c
}

// readWildBugs reads the list. The keys that only people read are left out.
func readWildBugs(t *testing.T, path string) []wildBug {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var bugs []wildBug
	if err := yaml.Unmarshal(data, &bugs); err != nil {
		t.Fatal(err)
	}
	for _, b := range bugs {
		if b.Least.Rank() < 0 || b.Report == "" || len(b.Culprit) == 0 || len(b.Forms) == 0 {
			t.Errorf("%s: min_severity %q, report %q, culprit %q, forms %q", b.Name, b.Least, b.Report, b.Culprit, b.Forms)
		}
		if c := b.Corrected; len(c.Forms) > 0 && (c.Least.Rank() < 0 || b.Note == "") {
			t.Errorf("%s: a correction has a min_severity (%q) and a note that says why (%q)", b.Name, c.Least, b.Note)
		}
	}
	return bugs
}

// rightAt returns the place of the first finding of a report that names the bug, from 1, and its severity; 0 for none.
func (b *wildBug) rightAt(r *schema.Report) (int, rules.Severity) {
	for i := range r.Findings {
		if f := &r.Findings[i]; b.names(f) {
			return i + 1, f.Severity
		}
	}
	return 0, ""
}

// names reports whether a finding is of the bug: one of its categories, at one of its functions or in a closure there.
func (b *wildBug) names(f *rules.Finding) bool {
	category := string(f.Category)
	if category != b.Category && !slices.Contains(b.Also, category) {
		return false
	}
	return slices.ContainsFunc(slices.Concat(b.Culprit, b.Accept), func(want string) bool {
		want, _, _ = strings.Cut(want, " ") // the file and line behind it are for people
		return b.sameFunction(symbol.Base(symbol.StripVendor(f.Culprit.Function)), symbol.Base(want))
	})
}

// sameFunction compares a function's full name with one of a label, which begins with the package's name: that may
// differ from the last element of its path. Where that element has dots the label has the full name.
func (b *wildBug) sameFunction(full, label string) bool {
	short := symbol.ShortFunc(full)
	if short == label || full == label {
		return true
	}
	_, ours, _ := strings.Cut(short, ".")
	pkg, theirs, _ := strings.Cut(label, ".")
	return ours == theirs && pkg != "main" && strings.HasPrefix(full, b.Module)
}

// accused is the first finding of high or critical severity that names another place, "" for none.
func (b *wildBug) accused(r *schema.Report) string {
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Severity.Rank() >= rules.High.Rank() && !b.names(f) {
			return fmt.Sprintf("%s %s", f.Name, f.Culprit.Function)
		}
	}
	return ""
}

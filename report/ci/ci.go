// Package ci renders a triage.Report for what continuous integration shows beside a run: SARIF for code scanning, JUnit
// XML for a page of tests. Texts of the inputs are data: they form no markup, no link, no path out of the repository.
package ci

import (
	"cmp"
	"fmt"
	"path"
	"path/filepath"
	"strings"

	"github.com/gotriage/triage/report"
	"github.com/gotriage/triage/rules"
)

// Options is what a report lacks.
type Options struct {
	// Doc is the documentation of the rule with an id, empty where there is none; nil for none at all.
	Doc func(id string) rules.Doc
	// Dir is the absolute path of the folder that paths are written relative to, the repository's; "" for none.
	Dir string
}

// fileOf is the file of a finding's culprit relative to the repository, with slashes, and its line; "" where the
// repository is not known to have it. Code of a module cache (".../dep@v1.2.3/x.go") is no part of it.
func (o Options) fileOf(f *rules.Finding) (file string, line int) {
	c := f.Code
	if c == nil {
		return o.within(f.Culprit.File), f.Culprit.Line
	}
	file = path.Join(filepath.ToSlash(c.Dir), c.File)
	switch {
	case strings.Contains(c.File, "@") || c.Fits == rules.FitsNo:
		return "", 0
	case filepath.IsAbs(c.Dir):
		file = cmp.Or(o.within(file), path.Clean(c.File))
	case strings.HasPrefix(file, ".."):
		file = path.Clean(c.File)
	}
	return file, c.Line
}

// within is an absolute path relative to Dir, "" for any other.
func (o Options) within(file string) string {
	if rel, err := filepath.Rel(o.Dir, file); err == nil && filepath.IsAbs(file) && filepath.IsLocal(rel) {
		return filepath.ToSlash(rel)
	}
	return ""
}

// text is a finding in full, a paragraph each: what was seen, why that is a fault, what to do.
func text(f *rules.Finding) string {
	var b strings.Builder
	add := func(label, s string) {
		if s != "" {
			b.WriteString(label + report.Escape(s) + "\n")
		}
	}
	add("", f.Title)
	for _, n := range f.Notes {
		add("", n)
	}
	for _, e := range f.Evidence[:min(len(f.Evidence), maxEvidence)] {
		add("  ", fmt.Sprintf("%s:%d: %s", e.Input, e.Line, e.Text))
	}
	add("Why: ", f.Why)
	add("But: ", strings.Join(f.Against, " "))
	add("Fix: ", f.Fix)
	for _, s := range f.Next {
		add("Next: ", strings.TrimSuffix(s.Command+"  # "+s.Remark(), "  # "))
	}
	return b.String()
}

const maxEvidence = 6 // pieces that a text shows

package report

import (
	"strings"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// An Aside is what a report sets aside, and why: unescaped, since reasons are a team's and titles a log's.
type Aside struct {
	Name, Text string
	Rows       []string
	More       int // rows that are left out
}

// maxAside bounds the rows of an Aside: the bound of the report contract's other lists.
const maxAside = 100

// Asides are what the team's config takes out of the findings, and the config itself.
func Asides(r *schema.Report) (all []Aside) {
	if c := r.Config; c != nil {
		ignored := Aside{Name: "IGNORED", Text: phrase.Count(len(r.Ignored), "finding") + ", by " + c.Path}
		for i := range r.Ignored {
			g := &r.Ignored[i]
			ignored.Rows = append(ignored.Rows, inARow(&g.Finding)+", until "+g.By.Until+": "+g.By.Reason)
		}
		if len(ignored.Rows) > 0 {
			all = append(all, ignored)
		}
		used := Aside{Name: "CONFIG", Text: c.Path}
		if c.Found {
			used.Text += ", found in the working folder or above it; --no-config leaves it out"
		}
		for _, e := range c.Expired {
			used.Rows = append(used.Rows, "no longer ignored since "+e.Until+": "+e.Rule+behind(" in ", e.Culprit)+
				phrase.InBrackets(e.Reason))
		}
		all = append(all, used)
	}
	for i := range all {
		a := &all[i]
		a.More = max(0, len(a.Rows)-maxAside)
		a.Rows = a.Rows[:len(a.Rows)-a.More]
	}
	return all
}

// inARow is a finding in half a line: "HIGH busy-wait: main.main spins (main.go:7)".
func inARow(f *rules.Finding) string {
	title, at := strings.TrimSuffix(Title(f), "."), Place(f.Culprit.File, f.Culprit.Line)
	return strings.ToUpper(string(f.Severity)) + " " + f.Name + ": " + title +
		given(at != "" && !strings.Contains(title, at), " ("+at+")")
}

// asides writes what the report sets aside.
func (v *view) asides() {
	for _, a := range Asides(v.r) {
		v.section(a.Name, a.Text)
		n := v.fitting(len(a.Rows), otherRows)
		for _, row := range a.Rows[:n] {
			v.hanging(row, 2, proseLines)
		}
		v.more(2, len(a.Rows)-n+a.More, "row")
	}
}

// setAside counts what a headline does not speak of, "" for nothing.
func (v *view) setAside() string {
	n := len(v.r.Ignored)
	return given(n > 0, phrase.Count(n, "finding")+given(n == 1, " is")+given(n != 1, " are")+" ignored")
}

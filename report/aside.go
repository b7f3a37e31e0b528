package report

import (
	"cmp"
	"math"
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

// Asides are what the baseline shows too, what the team's config takes out of the findings, and which files these are.
func Asides(r *schema.Report) (all []Aside) {
	if b := r.Baseline; b != nil {
		a := Aside{Name: "BASELINE", Text: b.Path + ", " +
			cmp.Or(prefixed("of ", timeText(b.Time)), prefixed("written ", timeText(b.Written)), "of unknown time") +
			", shows " + cmp.Or(knownTo(b), "none of this")}
		for i := range b.Findings {
			a.Rows = append(a.Rows, findingInALine(&b.Findings[i])+amounts(b.Findings[i].Baseline))
		}
		for i := range b.Leads {
			a.Rows = append(a.Rows, strings.TrimSuffix(b.Leads[i].Title, ".")+amounts(b.Leads[i].Baseline))
		}
		all = append(all, a)
	}
	if c := r.Config; c != nil {
		ignored := Aside{Name: "IGNORED", Text: phrase.Count(len(r.Ignored), "finding") + ", by " + c.Path}
		for i := range r.Ignored {
			g := &r.Ignored[i]
			ignored.Rows = append(ignored.Rows, findingInALine(&g.Finding)+", until "+g.By.Until+": "+g.By.Reason)
		}
		if len(ignored.Rows) > 0 {
			all = append(all, ignored)
		}
		used := Aside{Name: "CONFIG", Text: c.Path}
		if c.Found {
			used.Text += ", found in the working folder or above it; --no-config ignores it"
		}
		for _, e := range c.Expired {
			used.Rows = append(used.Rows, "expired on "+e.Until+", no longer ignores anything: "+e.Rule+
				prefixed(" in ", e.Culprit)+phrase.InBrackets(e.Reason))
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

// knownTo counts what a baseline shows too: "1 finding and 3 places too", "" for nothing.
func knownTo(b *schema.Baseline) string {
	both := nonEmpty([]string{countOf(len(b.Findings), "finding"), countOf(len(b.Leads), "place")})
	return textIf(len(both) > 0, phrase.List(both)+" too")
}

// amounts are how much a baseline has of something, and how much there is now: ", 12 then and 11 now".
func amounts(c *rules.Compared) string {
	number := func(x float64) string { return phrase.Number(int64(math.Round(x))) }
	switch {
	case c == nil:
		return ""
	case c.Before < 1 || c.After < 1:
		number = phrase.Share
	}
	return ", " + number(c.Before) + " then and " + number(c.After) + " now"
}

// findingInALine is a finding in half a line: "HIGH busy-wait: main.main spins (main.go:7)".
func findingInALine(f *rules.Finding) string {
	title, at := strings.TrimSuffix(Title(f), "."), Place(f.Culprit.File, f.Culprit.Line)
	return strings.ToUpper(string(f.Severity)) + " " + f.Name + ": " + title +
		textIf(at != "" && !strings.Contains(title, at), " ("+at+")")
}

// writeAsides writes what the report sets aside.
func (v *view) writeAsides() {
	for _, a := range Asides(v.report) {
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
	n, too := len(v.report.Ignored), ""
	if v.report.Baseline != nil {
		too = prefixed("the baseline shows ", knownTo(v.report.Baseline))
	}
	are := textIf(n == 1, " is") + textIf(n != 1, " are")
	return joined(", ", textIf(n > 0, phrase.Count(n, "finding")+are+" ignored"),
		too)
}

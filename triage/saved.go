package triage

import (
	"slices"

	"github.com/gotriage/triage/internal/leads"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/internal/where"
	"github.com/gotriage/triage/triage/schema"
)

// reportFromSaved returns a report that triage wrote before, where it is all that the inputs hold, so that it can be
// written in another form. Beside other inputs it says nothing about them, and two reports are for Compare: these are
// skipped.
func reportFromSaved(r *Report, saved []schema.Saved, condition string) (*Report, error) {
	if len(saved) > 1 || len(r.Dumps)+len(r.Profiles)+len(r.Findings)+len(r.Meters) > 0 || r.Audit != nil ||
		r.Cluster != nil {
		for _, s := range saved {
			r.Skipped = append(r.Skipped, schema.Skipped{
				Path: s.Path, Reason: "a report that triage wrote, not output from a process",
				Hint: "pass it alone to write it in another format, or compare it: triage diff REPORT AFTER",
			})
		}
		return r, nil
	}
	old := saved[0].Report
	for _, s := range r.Skipped { // what the report itself left out, among others
		if !slices.Contains(old.Skipped, s) {
			old.Skipped = append(old.Skipped, s)
		}
	}
	if condition == "" {
		return old, nil
	}
	groups, err := where.Compile(condition)
	if err == nil {
		err = old.Choose(condition, groups.Keep)
	}
	return old, err
}

// judgeSaved applies what the team knows to reports that triage wrote before.
func (b RuleBook) judgeSaved(saved []schema.Saved) {
	if b.team == nil {
		return
	}
	for _, s := range saved {
		r := s.Report
		kept, ignored := b.team.Judge(r.Findings)
		r.Config, r.Ignored = b.team.Report(), append(r.Ignored, ignored...)
		alike := func(f, g rules.Finding) bool { return f.Fingerprint == g.Fingerprint && f.Severity == g.Severity }
		if !slices.EqualFunc(kept, r.Findings, alike) {
			r.Leads, r.Findings = leads.New(kept, nil, r.Leads)
		}
	}
}

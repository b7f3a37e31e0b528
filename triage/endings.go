package triage

import (
	"slices"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/dump/coded"
	"github.com/gotriage/triage/triage/schema"
)

// addEndings puts into the dumps of a report what could end the waits that no role explains, and into the findings
// about them that are not certain.
func (codeReader) addEndings(r *Report, pass *rules.Pass) {
	for i, d := range pass.Dumps {
		for b, ends := range coded.Endings(pass, d, func(b int) bool { return d.Roles[b] == nil || d.Roles[b].Place }) {
			for _, e := range ends {
				to := &r.Dumps[i].Buckets[b]
				end := schema.Ending{Function: e.Place.Function, File: e.Place.File, Line: e.Place.Line,
					Goroutines: e.Goroutines, Goroutine: e.First}
				if e.At.Function != "" {
					end.At = &e.At
				}
				to.Ends = append(to.Ends, end)
			}
		}
	}
	for i := range r.Findings {
		if f := &r.Findings[i]; f.Confidence != rules.ConfHigh && slices.Contains(waiting, f.Category) {
			if text := schema.EndingsText(endingsOf(r, f)); text != "" {
				f.Notes = append(f.Notes, "In the code, "+text+".")
			}
		}
	}
}

// waiting are the categories of findings about goroutines that wait for others.
var waiting = []rules.Category{rules.Deadlock, rules.Leak, rules.Contention}

// endingsOf are the endings of the wait that a finding's first evidence is about, by its first goroutine.
func endingsOf(r *Report, f *rules.Finding) []schema.Ending {
	if len(f.Evidence) == 0 || len(f.Evidence[0].Goroutines) == 0 {
		return nil
	}
	e := &f.Evidence[0]
	for i := range r.Dumps {
		d := &r.Dumps[i]
		if d.Input != e.Input || e.Line < d.Line || d.EndLine < e.Line {
			continue
		}
		for b := range d.Buckets {
			if slices.Contains(d.Buckets[b].Goroutines, e.Goroutines[0]) {
				return d.Buckets[b].Ends
			}
		}
	}
	return nil
}

package triage

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/gotriage/triage/internal/leads"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/diff"
	"github.com/gotriage/triage/triage/schema"
)

// A baseline is the state that Options.Baseline holds, and what reports say of it.
type baseline struct {
	side  *diff.Side
	shown schema.Baseline
}

// readBaseline reads Options.Baseline; nil where there is none. Rules are loaded once for both.
func (o *Options) readBaseline(ctx context.Context) (*baseline, error) {
	if o.Baseline == "" {
		return nil, nil
	}
	if o.Book == nil {
		book, err := LoadBook(o.Rules, o.Config)
		if err != nil {
			return nil, err
		}
		o.Book = &book
	}
	r, out, err := readAndJudge(ctx, Options{
		Inputs: []string{o.Baseline}, Stdin: o.Stdin, Book: o.Book, Version: o.Version, Limits: o.Limits,
	}, codeReader{})
	if err != nil {
		return nil, err
	}
	side, shown := diff.NewSide(r, out.pass, out.reports, o.Book.Roles), r
	if len(out.reports) > 0 {
		shown = out.reports[0].Report
	} else if !r.Recognised() {
		why := "neither a triage report nor anything that rules could look at"
		if len(r.Skipped) > 0 {
			why = r.Skipped[0].Reason
		}
		return nil, fmt.Errorf("reading the baseline: %s: %s", o.Baseline, why)
	}
	b := &baseline{side, schema.Baseline{Path: o.Baseline, Time: timeOf(shown), Leads: []schema.Lead{}}}
	if info, err := os.Stat(o.Baseline); err == nil {
		b.shown.Written = phrase.Time(info.ModTime().Truncate(time.Second))
	}
	return b, nil
}

// timeOf is the latest time in the inputs of a report, "" where they have none.
func timeOf(r *Report) (latest string) {
	for i := range r.Inputs {
		latest = max(latest, r.Inputs[i].Last)
	}
	for i := range r.Dumps {
		latest = max(latest, r.Dumps[i].Time)
	}
	for i := range r.Profiles {
		latest = max(latest, r.Profiles[i].Time)
	}
	return latest
}

// setKnownAside parts what the baseline has too from a report's findings, and returns what notes in a suspect how it
// compares and reports whether it is known likewise; nil without a baseline.
func (b *baseline) setKnownAside(r *schema.Report, out outcome) (known func(*schema.Lead) bool) {
	if b == nil {
		return nil
	}
	compared := diff.NewBaseline(b.side, diff.NewSide(schema.New(""), out.pass, out.reports, out.book.Roles))
	shown := b.shown
	r.Baseline = &shown
	r.Findings, shown.Findings = compared.Findings(r.Findings)
	return func(l *schema.Lead) (known bool) {
		l.Baseline, known = compared.Suspect(l)
		return known
	}
}

// setKnownAsideInSaved is setKnownAside for a report that triage wrote before, its leads included.
func (b *baseline) setKnownAsideInSaved(r *schema.Report, out outcome) {
	if b == nil {
		return
	}
	if old := r.Baseline; old != nil {
		r.Findings, r.Leads = append(r.Findings, old.Findings...), append(r.Leads, old.Leads...)
	}
	known := b.setKnownAside(r, out)
	var news []schema.Lead
	for _, l := range r.Leads {
		switch {
		case l.Certainty != schema.OnlySuspect:
		case known(&l):
			r.Baseline.Leads = append(r.Baseline.Leads, l)
		default:
			news = append(news, l)
		}
	}
	r.Leads, r.Findings = leads.New(r.Findings, nil, news)
}

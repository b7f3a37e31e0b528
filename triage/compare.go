package triage

import (
	"context"

	"github.com/gotriage/triage/triage/diff"
	"github.com/gotriage/triage/triage/schema"
)

// Compare compares two states of a program: o.Inputs is not used, before and after are, each as Run takes its inputs;
// reports that triage wrote before are inputs too. The rules are applied to each side by itself, and where both are
// dumps of one process those that need two dumps to both together. The report it returns has the comparison under
// Diff and no findings or dumps of its own.
func Compare(ctx context.Context, before, after []string, o Options) (*Report, error) {
	r := schema.New(o.Version)
	sides := make([]*diff.Side, 2)
	for i, inputs := range [][]string{before, after} {
		o.Inputs, o.reports = inputs, true
		report, out, err := run(ctx, o)
		if err != nil && ctx.Err() == nil {
			return r, err
		}
		o.Book = &out.book
		sides[i] = diff.NewSide(report, out.pass, out.reports, out.book.Roles)
		r.Inputs = append(r.Inputs, report.Inputs...)
		r.Skipped = append(r.Skipped, report.Skipped...)
		r.Rules, r.NotApplicable = report.Rules, report.NotApplicable
		if !sides[i].HasDumps() {
			r.Advice = append(r.Advice, report.Advice...)
		}
		if err != nil {
			r.Diff = diff.Outline(sides[0], sides[1])
			return r, err
		}
	}
	var skips []schema.Skipped
	r.Diff, skips = diff.Compare(sides[0], sides[1], o.Book.Rules)
	r.Skipped = append(r.Skipped, skips...)
	if len(r.Diff.Profiles) > 0 {
		r.Advice = []schema.Advice{}
	}
	return r, nil
}

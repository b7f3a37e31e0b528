package triage

import (
	"context"
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/internal/convert"
	"github.com/gotriage/triage/triage/schema"
	"github.com/gotriage/triage/triage/timeline"
)

// TimelineOptions choose which requests of which audit logs to list.
type TimelineOptions struct {
	Options
	Filter AuditFilter
	// Limit is how many rows are kept, the first ones of time; 0 for as many as fit in memory.
	Limit int
	// Stream asks for all rows, from Each: those of files are not kept, but read once more.
	Stream bool
	// NoFindings leaves the rules out.
	NoFindings bool
}

// ReadTimeline reads the audit events in the inputs. The error is for a cancelled context and unusable rules; what
// can't be read is in Report.Skipped, and the Timeline is never nil.
func ReadTimeline(ctx context.Context, o TimelineOptions) (*Timeline, error) {
	book, err := o.loadRules()
	if err != nil {
		return &Timeline{Timeline: schema.Timeline{Report: schema.New(o.Version)}}, err
	}
	t := timeline.Read(ctx, schema.New(o.Version), timeline.Options{
		Options: o.reading(), Filter: audit.Filter(o.Filter), Limit: o.Limit, Stream: o.Stream,
	})
	t.Report.Audit = convert.Audit(t.Trail)
	if !o.NoFindings && t.Trail != nil {
		known, err := book()
		if err != nil {
			return t, err
		}
		set := slices.DeleteFunc(slices.Clone(known.Rules),
			func(r *rules.Rule) bool { return r.Needs&rules.NeedsAudit == 0 })
		judge(t.Report, set, &rules.Pass{Audit: t.Trail})
	}
	if ctx.Err() != nil {
		return t, fmt.Errorf("reading the audit logs: %w", context.Cause(ctx))
	}
	return t, nil
}

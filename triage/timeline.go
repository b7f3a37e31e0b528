package triage

import (
	"context"
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/internal/convert"
	"github.com/gotriage/triage/triage/internal/sources"
	"github.com/gotriage/triage/triage/internal/timeline"
	"github.com/gotriage/triage/triage/schema"
)

// TimelineOptions choose which requests of which audit logs to list.
type TimelineOptions struct {
	Options
	Filter AuditFilter
	// Limit is how many rows are kept, the first ones of time; 0 for as many as fit in memory.
	Limit int
	// NoFindings leaves the rules out.
	NoFindings bool
}

// ReadTimeline reads the audit events in the inputs. The error is for a cancelled context and unusable rules; what
// can't be read is in Report.Skipped, and the Timeline is never nil.
func ReadTimeline(ctx context.Context, o TimelineOptions) (*Timeline, error) {
	book, err := o.loadRules()
	if err != nil {
		return &Timeline{Report: schema.New(o.Version)}, err
	}
	reading, drop, err := sources.ResolveTimes(ctx, o.readOptions(), o.SinceAgo, o.UntilAgo)
	defer drop()
	if err != nil {
		return &Timeline{Report: schema.New(o.Version)}, err
	}
	if o.SinceAgo != 0 {
		o.Filter.Since = reading.Since.UnixMicro()
	}
	if o.UntilAgo != 0 {
		o.Filter.Until = reading.Until.UnixMicro()
	}
	read := timeline.Read(ctx, schema.New(o.Version), timeline.Options{
		Options: reading, Filter: audit.Filter(o.Filter), Limit: o.Limit,
	})
	t := &read.Timeline
	t.Report.Audit = convert.Audit(read.Trail)
	if !o.NoFindings && read.Trail != nil {
		known, err := book()
		if err != nil {
			return t, err
		}
		set := slices.DeleteFunc(slices.Clone(known.Rules),
			func(r *rules.Rule) bool { return r.Needs&rules.NeedsAudit == 0 })
		applyRules(t.Report, RuleBook{Rules: set}, &rules.Pass{Audit: read.Trail})
	}
	if ctx.Err() != nil {
		return t, fmt.Errorf("reading the audit logs: %w", context.Cause(ctx))
	}
	return t, nil
}

// A Timeline is what API servers' audit logs record, request by request.
type Timeline = schema.Timeline

// An AuditFilter chooses requests; what is empty chooses all.
type AuditFilter struct {
	// Object is a bare name, or RESOURCE/NAME or KIND/NAME: deployments/web, deploy/web, deployments.apps/web.
	Object string
	// Resource is one as in Object.
	Resource  string
	Namespace string
	// User and Agent are parts of the user's name and of its agent.
	User, Agent string
	Verbs       []string
	// Codes are status codes, or classes of them: "409", "5xx".
	Codes        []string
	Since, Until int64 // microseconds since 1970, both included; 0 for none
	Writes       bool
}

package triage

import (
	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/triage/internal/sources"
	"github.com/gotriage/triage/triage/schema"
	"github.com/gotriage/triage/triage/timeline"
)

type (
	// A Report is everything that was found.
	Report = schema.Report
	// A Listing is what inputs contain and what each file is taken for.
	Listing = schema.Listing
	// A Row is one request of a Timeline.
	Row = schema.Row
	// A Skipped is something that was not read.
	Skipped = schema.Skipped
	// A Timeline is what API servers' audit logs record, request by request.
	Timeline = timeline.Timeline
	// Limits bound what is read of the inputs; zero fields have defaults.
	Limits = ingest.Limits
	// An AuditFilter chooses requests; its zero value chooses all.
	AuditFilter = audit.Filter
	// Progress counts what a Run has read so far. The zero value is ready.
	Progress = sources.Progress
)

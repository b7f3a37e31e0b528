package triage

import (
	"github.com/gotriage/triage/triage/internal/sources"
	"github.com/gotriage/triage/triage/schema"
	"github.com/gotriage/triage/triage/timeline"
)

// Schema is the name of the report's contract.
const Schema = schema.Schema

type (
	// A Report is everything that was found.
	Report = schema.Report
	// A Listing is what inputs contain and what each file is taken for.
	Listing = schema.Listing
	// A Timeline is what API servers' audit logs record, request by request.
	Timeline = timeline.Timeline
	// Progress counts what a Run has read so far. The zero value is ready.
	Progress = sources.Progress
)

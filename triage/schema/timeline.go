package schema

import (
	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
)

// A Row is one request that an audit log records: time, verb, object, client, answer and what a write changed.
type Row = audit.Row

// A Timeline is what API servers' audit logs record, request by request.
type Timeline struct {
	// Report holds the inputs, what was skipped, the summary, and the findings of the rules about audit logs.
	Report *Report
	// Trail is what the rules looked at; nil where the inputs hold no audit events.
	Trail *rules.Trail
	// Rows are the chosen requests in order of time, the first of Matched; none where they are streamed.
	Rows    []Row
	Matched int64
}

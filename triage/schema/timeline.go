package schema

import "github.com/gotriage/triage/internal/audit"

// A Timeline is what API servers' audit logs record, request by request.
type Timeline struct {
	// Report holds the inputs, what was skipped, the summary, and the findings of the rules about audit logs.
	Report *Report
	// Trail is what the rules looked at; nil where the inputs hold no audit events.
	Trail *audit.Trail
	// Rows are the chosen requests in order of time, the first of Matched; none where they are streamed.
	Rows    []audit.Row
	Matched int64
}

package schema

import "github.com/gotriage/triage/rules"

// A Row is one request that an audit log records: time, verb, object, client, answer and what a write changed.
type Row struct {
	Time, Took   int64    `json:"-"`      // microseconds: since 1970 when it was received, and until its answer
	Server       string   `json:"server"` // the API server's host, else its log's path
	Level        string   `json:"level"`  // of the policy: Metadata, Request, RequestResponse
	User         string   `json:"user"`
	Impersonated string   `json:"impersonated,omitempty"`
	Agent        string   `json:"agent"`
	IP           string   `json:"ip"`
	Verb         string   `json:"verb"`
	Group        string   `json:"group"`
	Resource     string   `json:"resource"`
	Subresource  string   `json:"subresource"`
	Namespace    string   `json:"namespace"`
	Name         string   `json:"name"`
	Code         int      `json:"code"` // the answer's status, 0 where unknown
	Message      string   `json:"message,omitempty"`
	In           uint64   `json:"version_in,omitempty"`  // resourceVersion of the request, 0 where unknown
	Out          uint64   `json:"version_out,omitempty"` // resourceVersion of the answer, 0 where unknown
	Compared     bool     `json:"-"`                     // bodies are compared: without Changes nothing changed
	Changes      []Change `json:"-"`
	ID           string   `json:"-"` // the audit id
	Place        Place    `json:"-"`
}

// A Change is a field that a write changed, with its values as JSON; "" where there is none.
type Change struct {
	Path string `json:"path"`
	Old  string `json:"old"`
	New  string `json:"new"`
}

// A Place is a line of an input.
type Place struct {
	Path string
	Line int64
}

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

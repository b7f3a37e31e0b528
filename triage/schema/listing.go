package schema

// ListSchema is the name of the listing's contract.
const ListSchema = "triage-list/v1"

// A Listing is what inputs contain and what each file is taken for, without reading more of it than that takes.
type Listing struct {
	Schema  string    `json:"schema"`
	Files   []Listed  `json:"files"`
	Links   []Link    `json:"links"`
	Skipped []Skipped `json:"skipped"`
}

// A Listed is one file.
type Listed struct {
	Path    string `json:"path"`
	Kind    string `json:"kind"`
	Framing string `json:"framing"` // "" for what has no lines
	// Bytes is the size in the folder or archive, -1 where unknown.
	Bytes     int64  `json:"bytes"`
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	Container string `json:"container"`
	Node      string `json:"node"`
	Unit      string `json:"unit"`
	Restart   int    `json:"restart"` // -1 where unknown
	Previous  bool   `json:"previous"`
	Reversed  bool   `json:"reversed"`
	HeadCut   bool   `json:"head_cut"`
	// Follows is the file before it of the same log, where rotation cut that; "" for none.
	Follows string `json:"follows"`
}

// A Link is a link that leads to something that is read where it lies.
type Link struct {
	Path   string `json:"path"`
	Target string `json:"target"`
}

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

// Refused counts records that are no events of an API server, with what to give triage instead.
type Refused struct {
	Place        Place // of the first
	Count        int64
	Reason, Hint string
}

// A Timeline is what API servers' audit logs record, request by request.
type Timeline struct {
	// Report holds the inputs, what was skipped, the summary, and the findings of the rules about audit logs.
	Report *Report
	// Refused are the records that are no events of an API server, by reason.
	Refused []Refused
	// Rows are the chosen requests in order of time, the first of Matched.
	Rows    []Row
	Matched int64
}

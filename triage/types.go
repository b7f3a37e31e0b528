package triage

import (
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
	// Progress counts what a Run has read so far.
	Progress = schema.Progress
)

// Limits are the caps that keep a hostile or endless input from taking the machine; what exceeds one is skipped. The
// zero value of each means the default that it names.
type Limits struct {
	MaxBlob     int64 // bytes of a binary input, decompressed: 512 MiB
	MaxLine     int   // bytes of a line's text that are kept: 4 MiB
	MaxDepth    int   // archives within archives: 8
	MaxEntries  int   // files of all folders and archives together: 200,000
	MaxExpanded int64 // bytes of all files together, decompressed: 64 GiB
	MaxFile     int64 // bytes of one file, decompressed: 16 GiB
	MaxMemory   int64 // bytes held of nested archives and rotated logs until they are read: 64 MiB
	MaxTemp     int64 // bytes in temporary files, for what MaxMemory has no room for: 4 GiB; below 0 for none
}

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

package schema

import "slices"

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

// Unreadable reports whether an input that the user named could not be read.
func (l *Listing) Unreadable() bool {
	return slices.ContainsFunc(l.Skipped, func(s Skipped) bool { return s.Named })
}

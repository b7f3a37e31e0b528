package schema

import "github.com/gotriage/triage/rules"

// ShowSchema names the contract of `triage show -o json`.
const ShowSchema = "triage-show/v1"

// Excerpts are goroutines as the inputs print them.
type Excerpts struct {
	Schema string `json:"schema"`
	// Matched is how many goroutines match, those that are not shown included; Groups their distinct stacks.
	Matched int       `json:"matched"`
	Groups  int       `json:"groups"`
	Shown   []Excerpt `json:"shown"`
	Skipped []Skipped `json:"skipped"`
	// Source is what of the code was found under the folders of --source; nil without.
	Source *Source `json:"source,omitempty"`
}

// An Excerpt is one goroutine, or a stack of a form that counts stacks.
type Excerpt struct {
	Input     string `json:"input"`
	Line      int64  `json:"line"`      // of its header; 0 where the form has none
	Goroutine uint64 `json:"goroutine"` // 0 in forms that count stacks
	Bucket    int    `json:"bucket"`    // its place in the dump's list of buckets, from 1
	Count     int    `json:"count"`     // goroutines of the bucket
	State     string `json:"state"`     // of most goroutines of the bucket
	Role      string `json:"role"`
	// Findings are the ids of the rules that accuse it.
	Findings []string      `json:"findings"`
	Lines    []ExcerptLine `json:"lines"`
	// Cut means that lines are left out: the stack is too long.
	Cut bool `json:"cut,omitempty"`
}

// An ExcerptLine is a line of a goroutine.
type ExcerptLine struct {
	Input string `json:"input"` // "" where the line is no line of an input
	Line  int64  `json:"line"`
	Text  string `json:"text"`
	// Class is the class of the frame that the line is of, "" for none; Culprit whether a finding names its function.
	Class   string `json:"class"`
	Culprit bool   `json:"culprit,omitempty"`
	// Code is the code of the frame, at the last of its lines.
	Code *rules.Code `json:"code,omitempty"`
}

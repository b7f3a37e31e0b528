package schema

import "github.com/gotriage/triage/rules"

// A Config is the .triage.yaml that a report was made with: what a team knows of its programs.
type Config struct {
	Path string `json:"path"`
	// Found means that nobody named the file: it lies in the working folder or above.
	Found bool `json:"found"`
	// Expired are the entries below ignore whose last day has passed: they ignore nothing any more.
	Expired []Exception `json:"expired"`
}

// A Baseline is the report of a healthy process that a report was held against. What it shows too, in a similar number
// or share, is here and not among the report's findings and leads, where each states how it compares.
type Baseline struct {
	Path string `json:"path"`
	// Time is the latest in its inputs, "" where they have none, Written when its file was written; RFC 3339.
	Time    string `json:"time"`
	Written string `json:"written"`
	// Findings and Leads are what it shows too; Leads are suspects.
	Findings []rules.Finding `json:"findings"`
	Leads    []Lead          `json:"leads"`
}

// An Exception is an entry below ignore of a Config. What is empty holds for every finding of the rule.
type Exception struct {
	Rule      string `json:"rule" yaml:"rule"`                     // its id or name
	Culprit   string `json:"culprit,omitempty" yaml:"culprit"`     // a pattern of functions, as rules have them
	Pod       string `json:"pod,omitempty" yaml:"pod"`             // a glob
	Namespace string `json:"namespace,omitempty" yaml:"namespace"` // a glob
	Reason    string `json:"reason" yaml:"reason"`
	Until     string `json:"until" yaml:"until"` // the last day, YYYY-MM-DD in UTC
}

// An Ignored is a finding that an entry of the Config takes out of the findings, leads and --fail-on.
type Ignored struct {
	By      Exception     `json:"by"`
	Finding rules.Finding `json:"finding"`
}

package schema

import "github.com/gotriage/triage/rules"

// A Certainty is how sure a lead is.
type Certainty string

// The certainties, surest first.
const (
	Certain     Certainty = "certain"  // an alarm that the runtime states, or that two inputs show
	Likely      Certainty = "likely"   // any other alarm, or a finding of low confidence that nothing speaks against
	Possible    Certainty = "possible" // a finding beside which another reason is as likely
	OnlySuspect Certainty = "suspect"  // a place that no rule accuses, and that general facts single out
)

// A Lead is one entry of the ranked answer to the question where to look: a finding, or a suspect.
type Lead struct {
	Rank      int       `json:"rank"` // 1 is the best
	Certainty Certainty `json:"certainty"`
	// Alarm is set where the lead is a finding that claims that something is wrong (rules.Finding.Alarm).
	Alarm bool `json:"alarm"`
	// Points are those of a suspect: from 1.5 on it stands out, from 5 on strongly; 0 for a finding.
	Points float64 `json:"points,omitempty"`
	Title  string  `json:"title"`
	// At least one of Culprit, Object and Client says where to look.
	Culprit  *rules.Place     `json:"culprit,omitempty"`
	Object   *rules.Object    `json:"object,omitempty"`
	Client   string           `json:"client,omitempty"`
	Category rules.Category   `json:"category,omitempty"`
	For      []string         `json:"for"`     // facts that single it out
	Against  []string         `json:"against"` // facts that speak for another reason
	Evidence []rules.Evidence `json:"evidence"`
	Next     []rules.Step     `json:"next"` // what would settle it
	// Baseline compares it with the report of --baseline; absent without one.
	Baseline *rules.Compared `json:"baseline,omitempty"`
	// Finding is the fingerprint of the finding; "" for a suspect.
	Finding string `json:"finding,omitempty"`
	// Instances are the reports that show a suspect, in a report that was merged from others.
	Instances int `json:"instances,omitempty"`
}

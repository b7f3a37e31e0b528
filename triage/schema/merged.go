package schema

import "github.com/gotriage/triage/rules"

// A Merged counts what reports have in common that were merged into one (triage merge). Counts are exact as long as
// each process is in one of the reports.
type Merged struct {
	Reports int `json:"reports"`
	// Instances are the containers that the reports are about; processes where nothing names pods.
	Instances int           `json:"instances"`
	Traits    []rules.Trait `json:"traits"` // of the instances
	// Blocked are the lines at which goroutines of no usual role wait, those with most goroutines first: at most
	// MaxBlocked of BlockedTotal.
	Blocked      []BlockedLine `json:"blocked"`
	BlockedTotal int           `json:"blocked_total"`
	// Cut counts findings, suspects and lines that found no room: there were too many distinct ones.
	Cut int `json:"cut,omitempty"`
}

// MaxBlocked is how many lines a merged report lists, so that a merge of merges counts all but the rarest.
const MaxBlocked = 10_000

// A BlockedLine is a line of code at which goroutines wait, over all instances.
type BlockedLine struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Wait     string `json:"wait"` // the wait class
	// Goroutines are those of all Instances that have any, Most those of one of them, MostAt.
	Goroutines int    `json:"goroutines"`
	Instances  int    `json:"instances"`
	Most       int    `json:"most"`
	MostAt     string `json:"most_at"`
}

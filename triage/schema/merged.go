package schema

import (
	"slices"

	"github.com/gotriage/triage/rules"
)

// A Merged counts what reports have in common that were merged into one (triage merge). Counts are exact as long as
// each process is in one of the reports.
type Merged struct {
	Reports int `json:"reports"`
	// Instances are the containers that the reports are about; processes where nothing names pods.
	Instances int           `json:"instances"`
	Traits    []rules.Trait `json:"traits"` // of the instances
	// Shards are the parts of which there are reports, in order; reports of all inputs have none.
	Shards []Shard `json:"shards,omitempty"`
	// Blocked are the lines at which goroutines of no usual role wait, those with most goroutines first: at most
	// MaxBlocked of BlockedTotal.
	Blocked      []BlockedLine `json:"blocked"`
	BlockedTotal int           `json:"blocked_total"`
	// Cut counts findings, suspects and lines that found no room: there were too many distinct ones.
	Cut int `json:"cut,omitempty"`
}

// A Shard is one of several parts of the inputs, from 1.
type Shard struct {
	Index int `json:"index"`
	Of    int `json:"of"`
}

// MissingShards are the parts of which there is no report, among those of which there is one of so many.
func (m *Merged) MissingShards() []Shard {
	var missing []Shard
	for i, s := range m.Shards {
		if i > 0 && m.Shards[i-1].Of == s.Of {
			continue
		}
		for k := 1; k <= s.Of && len(missing) < MaxPodRows; k++ {
			if want := (Shard{k, s.Of}); !slices.Contains(m.Shards, want) {
				missing = append(missing, want)
			}
		}
	}
	return missing
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

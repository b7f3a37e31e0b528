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
	// Shards are the parts of which there are reports, in order, one for each report: at most MaxShards. Reports of all
	// inputs have none.
	Shards []Shard `json:"shards,omitempty"`
	// Blocked are the lines at which goroutines of no usual role wait, those with most goroutines first: at most
	// MaxBlocked of BlockedTotal.
	Blocked      []BlockedLine `json:"blocked"`
	BlockedTotal int           `json:"blocked_total"`
	// Cut counts findings, suspects and lines that found no room: there were too many distinct ones.
	Cut int `json:"cut,omitempty"`
	// Known counts findings of the reports that are left out: a baseline has them too, or a team ignores them.
	Known int `json:"known,omitempty"`
}

// A Shard is one of several parts of the inputs, from 1.
type Shard struct {
	Index int `json:"index"`
	Of    int `json:"of"`
}

// MissingShards are the parts of which there is no report, among those of which there is one of so many.
func (m *Merged) MissingShards() []Shard {
	var missing []Shard
	have := map[Shard]bool{}
	for _, s := range m.Shards {
		have[s] = true
	}
	for i, s := range m.Shards {
		if i > 0 && m.Shards[i-1].Of == s.Of {
			continue
		}
		for k := 1; k <= s.Of && len(missing) < MaxPodRows; k++ {
			if want := (Shard{k, s.Of}); !have[want] {
				missing = append(missing, want)
			}
		}
	}
	return missing
}

// RepeatedShards are the parts of which there are several reports.
func (m *Merged) RepeatedShards() []Shard {
	var repeated []Shard
	for i, s := range m.Shards {
		if i > 0 && m.Shards[i-1] == s && !slices.Contains(repeated, s) && len(repeated) < MaxPodRows {
			repeated = append(repeated, s)
		}
	}
	return repeated
}

// MaxShards is how many parts inputs can be read in.
const MaxShards = 10_000

// maxCount is more than a fleet has of anything, and sums of millions of reports still fit.
const maxCount = 1 << 40

// Countable reports whether the numbers that a merge adds up are counts: none is negative, or more than a fleet has.
func (r *Report) Countable() bool {
	counts := []int{r.InputsCut, r.SkippedCut, r.Rules.Checked}
	traits := func(all []rules.Trait) {
		for _, t := range all {
			counts = append(counts, t.Instances)
		}
	}
	var shards []Shard
	if m := r.Merged; m != nil {
		counts = append(counts, m.Reports, m.Instances, m.BlockedTotal, m.Cut, m.Known)
		shards = append(shards, m.Shards...)
		traits(m.Traits)
		for _, b := range m.Blocked {
			counts = append(counts, b.Goroutines, b.Instances, b.Most)
		}
	}
	for _, f := range r.AllFindings() {
		if counts = append(counts, f.PodsTotal); f.Spread != nil {
			counts = append(counts, f.Spread.Instances)
			traits(f.Spread.Traits)
		}
	}
	for i := range r.Leads {
		counts = append(counts, r.Leads[i].Instances)
	}
	for _, d := range r.Dumps {
		for i := range d.Buckets {
			counts = append(counts, d.Buckets[i].Count)
		}
	}
	return !slices.ContainsFunc(counts, func(n int) bool { return n < 0 || n > maxCount }) &&
		!slices.ContainsFunc(shards, func(s Shard) bool { return s.Index < 1 || s.Index > s.Of || s.Of > MaxShards })
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

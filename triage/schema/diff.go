package schema

import (
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/stackparse"
)

// A Diff is what changed from one state of a program to another. A side may hold several dumps: the last whole one of
// each of its processes counts, and a side of several processes counts them together.
type Diff struct {
	// By is what was compared: "goroutine" in two dumps of one process, whose ids are the same goroutines; "stack" in
	// dumps of different processes; "function" where their builds differ, so that lines moved, and where only
	// profiles are compared.
	By       string       `json:"by"`
	Before   DiffSide     `json:"before"`
	After    DiffSide     `json:"after"`
	Findings DiffFindings `json:"findings"`
	// Goroutines counts what became of them; absent unless By is "goroutine".
	Goroutines *SeriesStep `json:"goroutines,omitempty"`
	// Buckets are the distinct stacks of both sides, those whose number changed most first; at most 1,000 of
	// BucketsTotal. Unchanged counts the stacks that have as many goroutines on either side.
	Buckets      []DiffBucket `json:"buckets"`
	BucketsTotal int          `json:"buckets_total"`
	Unchanged    int          `json:"unchanged"`
	// Profiles compares the profiles of both sides, one for each kind that both have.
	Profiles []ProfileDiff `json:"profiles,omitempty"`
	// Stacks are those of what was compared, for drawings; nil unless Options.Stacks asks for them. Not printed.
	Stacks []StackDiff `json:"-"`
}

// The values of Diff.By.
const (
	ByGoroutine = "goroutine"
	ByStack     = "stack"
	ByFunction  = "function"
)

// A DiffSide is one of the two states.
type DiffSide struct {
	Inputs []string `json:"inputs"` // all that were read
	// Dumps are those that were compared: one a process.
	Dumps      []DiffDump `json:"dumps"`
	Goroutines int        `json:"goroutines"`
	Findings   int        `json:"findings"`
	// Profiles is how many profiles other than of goroutines were read.
	Profiles int `json:"profiles,omitempty"`
	// Instances are those of the side's merged reports, whose findings are compared.
	Instances int `json:"instances,omitempty"`
}

func (s *DiffSide) recognised() bool { return len(s.Dumps) > 0 || s.Instances > 0 }

// OfMerged reports whether both sides are merged reports.
func (d *Diff) OfMerged() bool { return d.Before.Instances > 0 && d.After.Instances > 0 }

// A DiffDump names one dump that was compared.
type DiffDump struct {
	Input      string `json:"input"`
	Line       int64  `json:"line"`
	Time       string `json:"time"`
	Process    string `json:"process"`
	Signal     string `json:"signal"`
	Go         string `json:"go"`
	Goroutines int    `json:"goroutines"`
	Truncated  string `json:"truncated"`
}

// DiffFindings are the findings of both sides, matched by their fingerprints: rule, culprit and creator.
type DiffFindings struct {
	New  []rules.Finding `json:"new"`  // of the after side alone
	Gone []rules.Finding `json:"gone"` // of the before side alone
	Both []rules.Finding `json:"both"` // as the after side has them
}

// A DiffBucket is one distinct stack on both sides.
type DiffBucket struct {
	// Function, File and Line are the place that is blamed for it; as the after side has it where it is there.
	Function  string `json:"function"`
	File      string `json:"file"`
	Line      int    `json:"line"`
	Wait      string `json:"wait"`
	Role      string `json:"role"`
	Idle      bool   `json:"idle"`
	CreatedBy string `json:"created_by"`
	Before    int    `json:"before"`
	After     int    `json:"after"`
	// SameGoroutines are those that are there on both sides; 0 unless Diff.By is "goroutine".
	SameGoroutines int              `json:"same_goroutines"`
	Trend          stackparse.Trend `json:"trend"`
}

// A ProfileDiff compares the profiles of one kind of both sides: functions are matched by their names without what
// builds add, so that vendored folders and moved lines don't matter.
type ProfileDiff struct {
	// Kind, Type and Unit are as in Profile; those of both sides are the same.
	Kind string `json:"kind"`
	Type string `json:"type"`
	Unit string `json:"unit"`
	// Rate is what Before.Value, After.Value and the numbers of Functions and Payers are in: "cores" (seconds of CPU or
	// waiting a second, the average of the side's processes), "/s" (Unit a second), "amount" (Unit, of what is in use),
	// "share" (of the whole, 0 to 1, where a profile has no duration), "totals" (Unit, counted since the
	// processes began).
	Rate   string      `json:"rate"`
	Before DiffProfile `json:"before"`
	After  DiffProfile `json:"after"`
	Change float64     `json:"change"` // of Value
	Noise  bool        `json:"noise"`  // the change of the whole may be chance
	// OtherBuild means that the sides' build ids differ: lines may have moved.
	OtherBuild bool `json:"other_build"`
	// Payers are the functions of the program's own that ask for what changed: each sample counts for one of them.
	// Functions are all that changed, with what they call. Both have what grew most first and what shrank most last, at
	// most 100: the ends of a longer list. Changes under 0.5% of the larger whole are left out.
	Payers    []ProfileDelta `json:"payers"`
	Functions []ProfileDelta `json:"functions"`
}

// A DiffProfile is what one side has of a kind.
type DiffProfile struct {
	Inputs  []string `json:"inputs"` // those that were compared: one a process
	Older   int      `json:"older"`  // profiles of these processes that were left out, because a later one is there
	Time    string   `json:"time"`   // of the earliest of them, RFC 3339, "" where unknown
	Go      string   `json:"go"`
	Program string   `json:"program"`
	// Value is the whole in ProfileDiff.Rate, Total in Unit.
	Value    float64 `json:"value"`
	Total    int64   `json:"total"`
	Duration int64   `json:"duration_ns"` // of all of them together
	Samples  int64   `json:"samples"`
	Cores    float64 `json:"cores"` // of a CPU profile, 0 where not known
}

// A ProfileDelta is how a function changed, in ProfileDiff.Rate.
type ProfileDelta struct {
	Function string  `json:"function"`
	File     string  `json:"file"`
	Line     int     `json:"line"` // the heaviest after, 0 for a function that is gone
	Class    string  `json:"class"`
	Before   float64 `json:"before"`
	After    float64 `json:"after"`
	Change   float64 `json:"change"`
	// Noise means that the change is within 3.29 standard errors of none.
	Noise bool `json:"noise"`
	// Dispatches means that code of the program's own runs below most of it: what changed is not its doing.
	Dispatches bool `json:"dispatches"`
	// Callers are who calls it, by how much more or less comes from there; at most 5. A payer's are the functions of
	// the program outside it, a function's the frames right above it.
	Callers []CallerDelta `json:"callers"`
}

// A CallerDelta is the part of a change that comes from one caller.
type CallerDelta struct {
	Function string  `json:"function"`
	Class    string  `json:"class"`
	Before   float64 `json:"before"`
	After    float64 `json:"after"`
	Change   float64 `json:"change"`
}

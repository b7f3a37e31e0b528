// Package triage is the engine: Run opens inputs, parses them, applies the rules, ranks the findings and returns a
// Report. It prints nothing and ends nothing.
package triage

import (
	"slices"

	"github.com/gotriage/triage/rules"
)

// Schema is the name of the report's contract.
const Schema = "triage/v1"

// A Report is everything that was found. Its JSON form is the stable contract of docs/report.schema.json: fields are
// only ever added, arrays are never null, order is deterministic.
type Report struct {
	Schema string  `json:"schema"`
	Tool   Tool    `json:"tool"`
	Inputs []Input `json:"inputs"`
	// Bundles sum up the arguments that held several files.
	Bundles  []Bundle        `json:"bundles,omitempty"`
	Findings []rules.Finding `json:"findings"`
	Dumps    []Dump          `json:"dumps,omitempty"`
	// Profiles are those that are no goroutine profiles.
	Profiles []Profile `json:"profiles,omitempty"`
	// Series are the processes that left two dumps or more; Diff is there in a comparison of two sides only.
	Series []Series `json:"series,omitempty"`
	Diff   *Diff    `json:"diff,omitempty"`
	// Fleet holds replicas of one workload against each other; absent where no workload has two.
	Fleet []Fleet `json:"fleet,omitempty"`
	// Patterns are what logs say most often: the first MaxPatterns of all logs together.
	Patterns []Pattern `json:"patterns,omitempty"`
	// Audit sums up the API servers' audit logs; absent where there are none.
	Audit *Audit `json:"audit,omitempty"`
	// Cluster sums up the Kubernetes objects; absent where there are none.
	Cluster       *Cluster        `json:"cluster,omitempty"`
	Rules         RuleCounts      `json:"rules"`
	NotApplicable []NotApplicable `json:"not_applicable"`
	Skipped       []Skipped       `json:"skipped"`
	// Advice says what to collect when something is missing: no dump at all, or a cut one.
	Advice []Advice `json:"advice"`
}

// Recognised reports whether there was anything that a rule could look at.
func (r *Report) Recognised() bool {
	if r.Diff != nil {
		return len(r.Diff.Profiles) > 0 || r.Diff.Before.recognised() && r.Diff.After.recognised()
	}
	if len(r.Bundles) > 0 && r.Rules.Clear+r.Rules.Fired > 0 {
		return true // its logs at least were looked at
	}
	return len(r.Dumps) > 0 || len(r.Profiles) > 0 || len(r.Findings) > 0 || r.Audit != nil || r.Cluster != nil && r.Cluster.Objects > 0
}

// Unreadable reports whether an input that the user named could not be read.
func (r *Report) Unreadable() bool {
	return slices.ContainsFunc(r.Skipped, func(s Skipped) bool { return s.Named })
}

// A Tool is the program that wrote the report.
type Tool struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// An Input is one file (a rotated log is one Input a file).
type Input struct {
	Path      string `json:"path"`
	Kind      string `json:"kind"`
	Bytes     int64  `json:"bytes"`
	Lines     int64  `json:"lines"`
	Framing   string `json:"framing"`
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	Container string `json:"container"`
	Node      string `json:"node"`
	// First and Last are the earliest and the latest time of a log's lines, RFC 3339; "" where lines have none.
	First string `json:"first,omitempty"`
	Last  string `json:"last,omitempty"`
}

// A Dump is one goroutine dump of the report.
type Dump struct {
	Input string `json:"input"`
	Line  int64  `json:"line"`
	// EndInput and EndLine are where its last line stands: in another file where rotation cut it.
	EndInput string `json:"end_input"`
	EndLine  int64  `json:"end_line"`
	// Namespace, Pod and Container are those of the process, where path or framing tell: an input may hold several.
	Namespace  string      `json:"namespace"`
	Pod        string      `json:"pod"`
	Container  string      `json:"container"`
	Time       string      `json:"time"`
	Format     string      `json:"format"`
	Signal     string      `json:"signal"`
	Reason     string      `json:"reason"`
	Go         string      `json:"go"`
	Goroutines int         `json:"goroutines"`
	Truncated  string      `json:"truncated"` // "", "head", "tail", "both"
	Seen       int         `json:"seen"`      // how often this same dump was printed
	Buckets    []Bucket    `json:"buckets"`
	Roles      []RoleCount `json:"roles"`
	// Runnable says for each running or runnable goroutine why it is or is not accused.
	Runnable []Runnable `json:"runnable"`
	Waits    []Wait     `json:"waits"`
	// WaitsCut says that there were too many locks to look at all of them.
	WaitsCut bool `json:"waits_cut,omitempty"`
	Unparsed int  `json:"unparsed"`
	// UnparsedLines are the first of them, for the reader.
	UnparsedLines []UnparsedLine `json:"unparsed_lines"`
}

// A Bucket is one distinct stack.
type Bucket struct {
	State      string   `json:"state"` // of most of its goroutines
	Wait       string   `json:"wait"`  // the wait class
	Count      int      `json:"count"`
	Minutes    Minutes  `json:"minutes"`
	Role       string   `json:"role"` // "" for none
	Locked     bool     `json:"locked"`
	Labels     []string `json:"labels"`
	CreatedBy  *Frame   `json:"created_by"`
	Frames     []Frame  `json:"frames"`
	Goroutines []uint64 `json:"goroutines"` // the smallest 100
}

// Minutes is the span of waiting times that the headers told.
type Minutes struct {
	Min uint32 `json:"min"`
	Max uint32 `json:"max"`
}

// A Frame is one frame of a bucket.
type Frame struct {
	Function string `json:"function"`
	File     string `json:"file"`
	Line     int    `json:"line"`
	Class    string `json:"class"`
	Elided   int    `json:"elided,omitempty"`
}

// A RoleCount says how many goroutines have a role.
type RoleCount struct {
	Role       string `json:"role"`
	Doc        string `json:"doc"`
	Goroutines int    `json:"goroutines"`
	Buckets    int    `json:"buckets"`
}

// A Runnable is the verdict on running or runnable goroutines of one bucket.
type Runnable struct {
	Goroutines []uint64 `json:"goroutines"`
	Count      int      `json:"count"`
	State      string   `json:"state"`
	Verdict    string   `json:"verdict"` // accused, innocent, watch
	Reason     string   `json:"reason"`
	Frame      Frame    `json:"frame"`
}

// A Wait is one object that goroutines wait for.
type Wait struct {
	Object    string   `json:"object"`
	Kind      string   `json:"kind"`
	Waiters   int      `json:"waiters"`
	Holders   []Holder `json:"holders"`
	BlockedBy string   `json:"blocked_by"`
}

// A Holder is a candidate for holding a Wait's object.
type Holder struct {
	Goroutine  uint64 `json:"goroutine"`
	Confidence string `json:"confidence"`
}

// An UnparsedLine is a line inside a dump that was not understood.
type UnparsedLine struct {
	Line int64  `json:"line"`
	Text string `json:"text"`
}

// RuleCounts says how many rules ran and what came of them.
type RuleCounts struct {
	Checked       int `json:"checked"`
	Fired         int `json:"fired"`
	Clear         int `json:"clear"`
	NotApplicable int `json:"not_applicable"`
}

// A NotApplicable names a rule that had nothing to look at, and what it needs.
type NotApplicable struct {
	Rule  string `json:"rule"`
	Needs string `json:"needs"`
}

// A Skipped is something that was not read.
type Skipped struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
	Hint   string `json:"hint"`
	// Named says that the path was named by the user, so that not reading it is a failure. Not printed.
	Named bool `json:"-"`
}

// An Advice is a recipe that collects what is missing.
type Advice struct {
	Why      string   `json:"why"`
	Commands []string `json:"commands"`
}

// Package schema holds the types of the report: the contract triage/v1, which docs/report.schema.json describes, and
// those of the listing and of the timeline of audit events. Fields are only ever added.
package schema

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/gotriage/triage/rules"
)

// Schema is the name of the report's contract.
const Schema = "triage/v1"

// A Report is everything that was found. Its JSON form is the stable contract of docs/report.schema.json: fields are
// only ever added, arrays are never null, order is deterministic.
type Report struct {
	Schema string `json:"schema"`
	Tool   Tool   `json:"tool"`
	// Verdict is the headline of the text report, one sentence; the renderer fills it in.
	Verdict string  `json:"verdict,omitempty"`
	Inputs  []Input `json:"inputs"`
	// InputsCut and SkippedCut count what the JSON report leaves out of Inputs and Skipped: each lists 50,000 at most.
	InputsCut  int `json:"inputs_cut,omitempty"`
	SkippedCut int `json:"skipped_cut,omitempty"`
	// Bundles sum up the arguments that held several files.
	Bundles []Bundle `json:"bundles,omitempty"`
	// Leads are findings and suspects in one order, best first: the answer to the question where to look.
	Leads    []Lead          `json:"leads"`
	Findings []rules.Finding `json:"findings"`
	Dumps    []Dump          `json:"dumps,omitempty"`
	// Config is the team's config that was used, Ignored the findings that it takes out; absent where there are none.
	Config  *Config   `json:"config,omitempty"`
	Ignored []Ignored `json:"ignored,omitempty"`
	// Baseline is what a report before shows too; nil without --baseline.
	Baseline *Baseline `json:"baseline,omitempty"`
	// Where is the condition on groups of goroutines; "" where Dumps holds all of them.
	Where string `json:"where,omitempty"`
	// Profiles are those that are no goroutine profiles.
	Profiles []Profile `json:"profiles,omitempty"`
	// Series are the processes that left two dumps or more; Diff is there in a comparison of two sides only.
	Series []Series `json:"series,omitempty"`
	Diff   *Diff    `json:"diff,omitempty"`
	// Pods are the containers that have something to report, worst first: the first MaxPodRows of PodsTotal. Absent
	// where the inputs name fewer than two pods.
	Pods      []Pod `json:"pods,omitempty"`
	PodsTotal int   `json:"pods_total,omitempty"`
	// Fleet holds replicas of one workload against each other; absent where no workload has two.
	Fleet []Fleet `json:"fleet,omitempty"`
	// Merged counts over the reports that this one was merged from; nil for any other.
	Merged *Merged `json:"merged,omitempty"`
	// Patterns are what all logs together repeat most often.
	Patterns []Pattern `json:"patterns,omitempty"`
	// Meters are what metrics, control groups and kubectl top show of processes; absent where there are none.
	Meters []Meter `json:"meters,omitempty"`
	// Audit sums up the API servers' audit logs; absent where there are none.
	Audit *Audit `json:"audit,omitempty"`
	// Cluster sums up the Kubernetes objects; absent where there are none.
	Cluster       *Cluster        `json:"cluster,omitempty"`
	Rules         RuleCounts      `json:"rules"`
	NotApplicable []NotApplicable `json:"not_applicable"`
	Skipped       []Skipped       `json:"skipped"`
	// Source is what of the code was found under the folders of --source; nil without.
	Source *Source `json:"source,omitempty"`
	// Advice lists what to collect when something is missing: no dump at all, or a cut one.
	Advice []Advice `json:"advice"`
	// Read means that the report was read from a file, which anybody may have written. Not printed.
	Read bool `json:"-"`
	// NamedCut means that SkippedCut counts an input that the user named. Not printed.
	NamedCut bool `json:"-"`
	// Stacks are those of the profiles, for drawings; nil unless Options.Stacks asks for them. Not printed.
	Stacks []StackSource `json:"-"`
	// Timelines are the writes of the objects that findings are about, for drawings; nil unless Options.Stacks asks for
	// them. Not printed.
	Timelines []ObjectTimeline `json:"-"`
}

// Recognised reports whether there was anything that a rule could look at.
func (r *Report) Recognised() bool {
	if r.Diff != nil {
		return len(r.Diff.Profiles) > 0 || r.Diff.Before.recognised() && r.Diff.After.recognised()
	}
	if len(r.Bundles) > 0 && r.Rules.Clear+r.Rules.Fired > 0 {
		return true // its logs at least were looked at
	}
	return r.ofReports() && r.Merged.Instances > 0 || len(r.Dumps) > 0 || len(r.Profiles) > 0 ||
		len(r.Findings) > 0 || len(r.Meters) > 0 || r.Audit != nil || r.Cluster != nil && r.Cluster.Objects > 0
}

// Found are the findings that the report is about: of a comparison those that are new.
func (r *Report) Found() []rules.Finding {
	if r.Diff != nil {
		return r.Diff.Findings.New
	}
	return r.Findings
}

// ofReports reports whether it was merged from others.
func (r *Report) ofReports() bool { return r.Merged != nil && r.Merged.Reports > 0 }

// Unreadable reports whether an input that the user named could not be read.
func (r *Report) Unreadable() bool {
	return r.NamedCut || slices.ContainsFunc(r.Skipped, func(s Skipped) bool { return s.Named })
}

// Distrust notes that the report was read from a file, and marks the steps that change something whatever it says of
// them.
func (r *Report) Distrust() {
	r.Read = true
	all := [][]rules.Step{}
	for _, f := range r.AllFindings() {
		all = append(all, f.Next)
	}
	leads := r.Leads
	if r.Baseline != nil {
		leads = slices.Concat(leads, r.Baseline.Leads)
	}
	for i := range leads {
		all = append(all, leads[i].Next)
	}
	for i := range r.Advice {
		all = append(all, r.Advice[i].Commands)
	}
	for _, steps := range all {
		for i := range steps {
			steps[i].Changes = steps[i].Changes || rules.Changes(steps[i].Command)
		}
	}
}

// AllFindings are the findings, those that the baseline has too and those that are ignored.
func (r *Report) AllFindings() (all []*rules.Finding) {
	lists := [][]rules.Finding{r.Findings}
	if r.Baseline != nil {
		lists = append(lists, r.Baseline.Findings)
	}
	for _, list := range lists {
		for i := range list {
			all = append(all, &list[i])
		}
	}
	for i := range r.Ignored {
		all = append(all, &r.Ignored[i].Finding)
	}
	return all
}

// Choose keeps the groups of goroutines of each dump that keep returns, and notes the condition.
func (r *Report) Choose(condition string, keep func([]Bucket) ([]Bucket, error)) error {
	r.Where = condition
	for i := range r.Dumps {
		kept, err := keep(r.Dumps[i].Buckets)
		if err != nil {
			return err
		}
		r.Dumps[i].Buckets = kept
	}
	return nil
}

// NoneRead reports whether the inputs that the user named could not be read at all, none of them.
func (r *Report) NoneRead() bool {
	return len(r.Inputs) == 0 && len(r.Skipped) > 0 && !r.ofReports() &&
		!slices.ContainsFunc(r.Skipped, func(s Skipped) bool { return !s.Named })
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

// RuleCounts counts how many rules ran and what came of them.
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
	// Named means that the path was named by the user, so that not reading it is a failure. Not printed.
	Named bool `json:"-"`
}

// The words around the path in the reason of a copy.
const copyBegins, copyEnds = "left out: its lines are those of ", ", which counts once"

// SkippedCopy is an input whose lines are those of another.
func SkippedCopy(path, of string) Skipped {
	return Skipped{Path: path, Reason: copyBegins + of + copyEnds}
}

// CopyOf is the input that a skipped one is a copy of, "" where it is skipped for another reason.
func (s *Skipped) CopyOf() string {
	of, begins := strings.CutPrefix(s.Reason, copyBegins)
	of, ends := strings.CutSuffix(of, copyEnds)
	if !begins || !ends {
		return ""
	}
	return of
}

// An Advice is a recipe that collects what is missing.
type Advice struct {
	Why      string       `json:"why"`
	Commands []rules.Step `json:"commands"`
}

// New is a report without findings.
func New(version string) *Report {
	return &Report{
		Schema: Schema, Tool: Tool{Name: "triage", Version: version},
		Inputs: []Input{}, Leads: []Lead{}, Findings: []rules.Finding{},
		NotApplicable: []NotApplicable{}, Skipped: []Skipped{}, Advice: []Advice{},
	}
}

// A Saved is a report that triage wrote before, read from a file.
type Saved struct {
	Path   string
	Report *Report
}

// Progress counts what has been read so far. The zero value is ready.
type Progress struct {
	Sources  atomic.Int64 // found to be read; those inside archives are found while they are read
	Done     atomic.Int64 // read to their end
	Lines    atomic.Int64
	Dumps    atomic.Int64
	Profiles atomic.Int64
	Findings atomic.Int64 // the rules look at all inputs together: they count when everything was read
	// Bytes are those read of the inputs as they lie on disk, of Total; Total is 0 where unknown, as of standard input.
	Bytes atomic.Int64
	Total atomic.Int64
}

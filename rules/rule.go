// Package rules is the core that every package of rules builds on: what a rule is (Rule, Doc, Needs), what it reads
// (Pass, with its inputs), what it returns (Finding) and whom it blames (Blame), and how dumps of one process become
// a Series.
//
// The rules are in the packages below, by their evidence: declared (YAML), dump/spin, dump/crash, dump/wait,
// dump/coded, hotspot, logs, meters, objects, auditlog. Package all lists them, package verdict merges and ranks what
// they find, match holds conditions on stacks and phrase writes numbers and names. The table in docs/rules.md names
// the file of each rule.
//
// Stability: until version 1, minor releases may change this package's Go API and that of the packages below it. Ids
// and names of rules are never reused, and the JSON names of a Finding change only with the report's schema version.
package rules

import (
	"slices"

	"github.com/gotriage/triage/profile"
)

// A Severity is the impact if the finding is true. Doubt lowers the Confidence, never the Severity.
type Severity string

// The severities, worst first.
const (
	Critical Severity = "critical"
	High     Severity = "high"
	Medium   Severity = "medium"
	Low      Severity = "low"
	Info     Severity = "info"
)

// Rank orders severities: Critical 4 … Info 0, anything else -1.
func (s Severity) Rank() int {
	return slices.Index([]Severity{Info, Low, Medium, High, Critical}, s)
}

// A Confidence reports how sure the finding is: ConfHigh is stated by the runtime or the stack itself, or seen in two
// independent inputs; ConfMedium is one strong signature, and nothing in the inputs speaks against it; ConfLow means
// that another reason is as likely.
type Confidence string

// The confidences.
const (
	ConfHigh   Confidence = "high"
	ConfMedium Confidence = "medium"
	ConfLow    Confidence = "low"
)

// Rank orders confidences: 2, 1, 0; -1 for anything else.
func (c Confidence) Rank() int {
	return slices.Index([]Confidence{ConfLow, ConfMedium, ConfHigh}, c)
}

// A Category groups findings by what goes wrong: the most specific one that fits.
type Category string

// The categories.
const (
	Spin       Category = "spin"
	Deadlock   Category = "deadlock"
	Leak       Category = "leak"
	Contention Category = "contention"
	Crash      Category = "crash"
	RaceCat    Category = "race"
	Memory     Category = "memory"
	HotCPU     Category = "hot-cpu"
	GC         Category = "gc"
	HotLoop    Category = "hot-loop"
	PodStorm   Category = "pod-storm"
	Other      Category = "other" // for rules of the user: what fits none of these
)

// Needs is the evidence that a rule looks at.
type Needs uint

// The kinds of evidence.
const (
	NeedsDump    Needs = 1 << iota // a dump of goroutines
	NeedsDumps                     // two or more dumps of one process
	NeedsCause                     // a dump with a cause: a panic, a fatal error
	NeedsRace                      // a race detector's report
	NeedsStates                    // a dump with each goroutine's id and state: not debug=1, not a binary profile
	NeedsWaits                     // a dump that shows what goroutines wait for: by states, or by frames
	NeedsCPU                       // a CPU profile
	NeedsHeap                      // a heap profile
	NeedsAllocs                    // a profile of allocations
	NeedsHeaps                     // two or more heap profiles of one process
	NeedsMutex                     // a mutex profile
	NeedsBlock                     // a block profile
	NeedsProfile                   // a profile of any of these kinds
	NeedsLogs                      // log lines with their times
	NeedsObjects                   // Kubernetes objects
	NeedsAudit                     // an API server's audit log
	NeedsMetrics                   // what a process serves at /metrics
	NeedsCgroup                    // files of a control group
	NeedsSource                    // source code, where the user has named its folder
)

// A Doc is a rule's documentation; docs/rules.md and `triage explain` print it. Every field is required but Refs and
// Since.
type Doc struct {
	Title          string   // what the rule finds, one line
	Why            string   // how the evidence leads to what the rule says
	Fix            string   // imperative
	FalsePositives string   // when it is wrong
	Refs           []string // URLs or source names
	Since          string   // the release of triage that brought the rule, "" for the first
}

// A Matcher defines which stacks of a profile belong to a rule. The rules about profiles define it; a Board asks all
// of them.
type Matcher interface {
	// Takes reports whether it looks at p.
	Takes(p *profile.Profile) bool
}

// A Rule is a documented value. Run is pure: it keeps nothing between calls and changes nothing in the Pass.
type Rule struct {
	ID       string // TRnnn, never reused
	Name     string // kebab-case, what people say in chat
	Category Category
	Severity Severity // the most that it gives
	Needs    Needs
	Run      func(*Pass) []Finding
	// OwnFix: a finding without a fix has none; the documentation has no general one.
	OwnFix bool
	// Docs reads the documentation; nil for none. Most runs need that of few rules.
	Docs func() Doc

	// Hotspots identifies which stacks of profiles are this rule's; nil for rules that look at none.
	Hotspots Matcher
	// docFaults is what is wrong with the text that Docs reads, nil where there is no text; Validate reports it.
	docFaults func() []string
}

// Doc is the rule's documentation, empty where it has none.
func (r *Rule) Doc() Doc {
	if r.Docs == nil {
		return Doc{}
	}
	return r.Docs()
}

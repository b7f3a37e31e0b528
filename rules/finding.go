package rules

import (
	"strings"

	"github.com/gotriage/triage/internal/symbol"
	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/stackparse/frame"
)

// A Finding is one accusation with its evidence. A finding without evidence is a bug.
type Finding struct {
	Rule       string     `json:"rule"`
	Name       string     `json:"name"`
	Category   Category   `json:"category"`
	Severity   Severity   `json:"severity"`
	Confidence Confidence `json:"confidence"`
	// Title names the culprit and the act, present tense, at most 100 characters.
	Title   string `json:"title"`
	Culprit Place  `json:"culprit"`
	// Code is the code at Culprit; nil where no folder of sources has it, or none was given.
	Code *Code `json:"code,omitempty"`
	// Object and Actors are for findings about Kubernetes objects.
	Object *Object `json:"object,omitempty"`
	// Objects are others that the finding speaks of, which may hang or die of it: findings about the same objects are
	// held against each other. At most MaxEvidenceIDs.
	Objects []Object `json:"objects,omitempty"`
	Actors  []string `json:"actors"`
	// Path runs from the program's entry to the hot leaf.
	Path     []PathFrame `json:"path"`
	Evidence []Evidence  `json:"evidence"`
	// Against is what in the inputs speaks for another reason: sentences, each a fact. It comes with low confidence.
	Against     []string `json:"against,omitempty"`
	Why         string   `json:"why"`
	Fix         string   `json:"fix"`
	Next        []Step   `json:"next"`
	Refs        []string `json:"refs"`
	Fingerprint string   `json:"fingerprint"`
	Sources     []string `json:"sources"`
	FirstSeen   string   `json:"first_seen"`
	LastSeen    string   `json:"last_seen"`

	// Baseline compares it with the report of --baseline; nil without one.
	Baseline *Compared `json:"baseline,omitempty"`

	// Count orders findings of equal severity and confidence: goroutines, or how often it was seen. Not printed.
	Count int `json:"-"`
	// Creator is the function that started the culprit's goroutine; a part of the fingerprint. Not printed.
	Creator string `json:"-"`
	// Why innocents are innocent, and other remarks a reader needs beside the finding.
	Notes []string `json:"notes,omitempty"`
	// Pods are those that show it, most affected first: the first MaxPods of PodsTotal. The engine fills them in;
	// absent where nothing names a pod and there is one process.
	Pods      []PodCount `json:"pods,omitempty"`
	PodsTotal int        `json:"pods_total,omitempty"`
	// Spread is there in merged reports only.
	Spread *Spread `json:"spread,omitempty"`
}

// Compared is how much of a finding or a place a baseline has, and how much there is now: goroutines or how often, of
// the largest piece of evidence, or a share from 0 to 1. Before is 0 for what the baseline doesn't have.
type Compared struct {
	Before float64 `json:"before"`
	After  float64 `json:"after"`
}

// GrownTimes is how many times as much as before has grown. Chosen: an idle pool or a share of a profile differ by less
// from one healthy capture to the next.
const GrownTimes = 1.5

// Text is "not in the baseline" or "3 times the baseline"; of what has become an alarm, "no alarm in the baseline".
func (c *Compared) Text() string {
	switch {
	case c == nil:
		return ""
	case c.Before <= 0:
		return "not in the baseline"
	case c.After <= GrownTimes*c.Before: // what is graver, not more
		return "no alarm in the baseline"
	}
	return strings.TrimSuffix(phrase.Significant(c.After/c.Before), ".0") + " times the baseline"
}

// Alarm reports whether f claims that something is wrong: its impact is medium or above, and so is how sure it is. A
// healthy process, pod or cluster raises none.
func (f *Finding) Alarm() bool {
	return f.Severity.Rank() >= Medium.Rank() && f.Confidence.Rank() >= ConfMedium.Rank()
}

// Doubt makes the confidence low, because of what in the inputs speaks for another reason: a sentence, a fact.
func (f *Finding) Doubt(against string) {
	f.Confidence, f.Against = ConfLow, append(f.Against, against)
}

// MaxPods is how many pods a finding names: the bound of the report contract's other lists.
const MaxPods = 100

// A Spread is where the instances of a program are that show a finding, in a report that was merged from others.
type Spread struct {
	Instances int     `json:"instances"`
	Traits    []Trait `json:"traits"`
}

// A Trait is how many instances are of one namespace, workload, revision, node or Go release.
type Trait struct {
	Name      string `json:"name"`  // "namespace", "workload", "revision", "node", "go"
	Value     string `json:"value"` // "" where there are too many values to count
	Instances int    `json:"instances"`
}

// A PodCount reports how much of a finding one container of a pod shows, or one process where no pod is known.
type PodCount struct {
	Namespace string `json:"namespace"`
	Pod       string `json:"pod"`
	Container string `json:"container"`
	Node      string `json:"node"`
	Process   string `json:"process"` // where no pod is known: "process 2", or ""
	Input     string `json:"input"`   // the first that shows it
	Line      int64  `json:"line"`    // of the dump
	Count     int    `json:"count"`   // as Evidence.Count: goroutines, or how often it was seen
}

// A Place is a line of code.
type Place struct {
	Function string `json:"function"` // as the runtime prints it, vendor path kept; "" where unknown
	Package  string `json:"package"`
	File     string `json:"file"`
	Line     int    `json:"line"`
}

// An Object names a Kubernetes object.
type Object struct {
	API       string `json:"api"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace"`
	Name      string `json:"name"`
}

// Text names the object in a sentence: "Deployment shop/web", "Node a".
func (o Object) Text() string {
	return strings.TrimSpace(o.Kind + " " + strings.TrimPrefix(o.Namespace+"/", "/") + o.Name)
}

// A PathFrame is one step of Finding.Path.
type PathFrame struct {
	Function string  `json:"function"`
	File     string  `json:"file"`
	Line     int     `json:"line"`
	Class    string  `json:"class"` // frame.Class.String()
	Share    float64 `json:"share,omitempty"`

	// Caller is who called a framework or a well-known library, the nearest code that may be at fault. Not printed.
	Caller Place `json:"-"`
}

// An Evidence is one thing that was seen.
type Evidence struct {
	Input      string   `json:"input"` // a path of the report's inputs
	Line       int64    `json:"line"`  // 1-based, 0 for inputs without lines
	Time       string   `json:"time"`
	Text       string   `json:"text"`
	Goroutines []uint64 `json:"goroutines"` // the smallest 100
	Count      int      `json:"count"`
	Share      float64  `json:"share,omitempty"`
	// At is where goroutines wait that the dump only counts: they have no ids to find them by.
	At *Place `json:"at,omitempty"`
}

// PlaceOf is the place of a frame.
func PlaceOf(f frame.Frame) Place {
	return Place{Function: f.Func, Package: symbol.ParseName(f.Func).Package, File: f.File, Line: f.Line}
}

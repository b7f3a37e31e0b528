// Package suspect defines what the packages below it return: places that general facts single out where no rule
// accuses them. Each package looks at one kind of evidence: goroutines at dumps, hotspots at profiles, cluster at
// objects, events, audit logs and pods' logs.
//
// A suspect is no alarm. What it says is a fact of the input: counts, ages, places, shares. It never says that
// something is wrong.
package suspect

import (
	"cmp"
	"slices"
	"strings"

	"github.com/gotriage/triage/rules"
)

// A Suspect is a place to look at, with what speaks for and against it.
type Suspect struct {
	// Points rank suspects of all kinds on one scale: Shown is the least that a reader is to see, Strong is what few
	// healthy inputs have.
	Points float64
	// Title is one sentence of at most 100 characters: who, what and where, without a judgement.
	Title    string
	Culprit  rules.Place
	Object   *rules.Object
	Client   string // who sends the requests, as an audit log names it
	Category rules.Category
	For      []string // facts that single it out, strongest first: sentences without a full stop
	Against  []string // facts that speak for another reason
	Evidence []rules.Evidence
	Next     []rules.Step // what would settle it, the best step first
	// Baseline compares it with the report of --baseline; nil without one.
	Baseline *rules.Compared
	// Usual marks a suspect that is named only for being the largest or oldest: nothing singles it out.
	Usual bool
}

// The scale of Suspect.Points.
const (
	Shown  = 1.5
	Strong = 5.0
)

// Limit is how many suspects of one kind of evidence a report has, Most how many are found: of these, some may be
// ignored or known before.
const (
	Limit = 10
	Most  = 50
)

// Best are the suspects with the most points, best first, at most Most.
func Best(all []Suspect) []Suspect {
	slices.SortStableFunc(all, Compare)
	return all[:min(len(all), Most)]
}

// Compare orders suspects: most points first, then by name, so that the order is the same in every run.
func Compare(a, b Suspect) int {
	return cmp.Or(
		cmp.Compare(b.Points, a.Points), strings.Compare(a.Culprit.Function, b.Culprit.Function),
		strings.Compare(a.Title, b.Title))
}

package verdict

import (
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/stamp"
	"github.com/gotriage/triage/rules"
)

// maxNext bounds the commands of a finding that was joined, chosen so that they fit on a screen with the rest: the main
// view's lead on, each of the others adds its first.
const maxNext = 5

// add gives main what other saw; views have been reported before.
func (j joiner) add(main, other *rules.Finding, views int) {
	if j.viewOf(other) != j.viewOf(main) {
		surer(main)
	}
	if main.Severity.Rank() < other.Severity.Rank() {
		main.Severity = other.Severity
	}
	said := []string{noteOf(other)}
	if j.viewOf(other) == viewCost {
		said[0] += ". " + comparison(main)
	}
	if j.viewOf(other) == j.viewOf(main) { // those of a lesser view say what it can't show, which main does
		said = append(said, other.Notes...)
	}
	if flaps(main) && restarts(other) {
		said = append(said, fmt.Sprintf("A leader exits when it has lost its lease: the restarts of %s %s follow from "+
			"that, or its leaders die for another reason, which their previous log shows.", other.Object.Kind,
			other.Object.Name))
	}
	main.Notes = append(main.Notes, said...)
	addEvidence(main, other.Evidence, views)
	if len(main.Next) < maxNext {
		main.Next = addSteps(main.Next, other.Next[:min(len(other.Next), 1)])
	}
	// The API server knows best who did it: it was asked. Logs and objects know pods and field managers.
	if j.viewOf(main) == j.viewOf(other) || len(main.Actors) == 0 {
		main.Actors = union(main.Actors, other.Actors)
	}
	main.Sources = union(main.Sources, other.Sources)
	main.FirstSeen = stamp.Earlier(main.FirstSeen, other.FirstSeen)
	main.LastSeen = stamp.Later(main.LastSeen, other.LastSeen)
	if len(main.Pods) == 0 {
		main.Pods, main.PodsTotal = other.Pods, other.PodsTotal
	}
	if main.Object == nil {
		main.Object = other.Object
	}
	if main.Culprit.Function == "" && other.Culprit.Function != "" {
		main.Culprit, main.Path = other.Culprit, other.Path
	}
	objects := other.Objects
	if other.Object != nil {
		objects = append(slices.Clip(objects), *other.Object)
	}
	for _, o := range objects {
		if !speaksOf(main, &o) && len(main.Objects) < rules.MaxEvidenceIDs {
			main.Objects = append(main.Objects, o)
		}
	}
}

// addEvidence puts the first piece of another view behind those of the views before, so that the few that are shown are
// of all views. Where main's pieces are a course of events, only what comes later joins them.
func addEvidence(main *rules.Finding, more []rules.Evidence, views int) {
	if len(more) == 0 {
		return
	}
	if main.Category == rules.RaceCat || main.Category == rules.PodStorm {
		last := ""
		for _, e := range main.Evidence {
			last = stamp.Later(last, e.Time)
		}
		for _, e := range more {
			if e.Time != "" && !stamp.Before(e.Time, last) {
				main.Evidence, last = append(main.Evidence, e), e.Time
			}
		}
		return
	}
	main.Evidence = slices.Insert(main.Evidence, min(views, len(main.Evidence)), more[0])
	main.Evidence = append(main.Evidence, more[1:]...)
}

// addSteps adds the steps whose commands aren't there yet, whatever their comments are.
func addSteps(all, more []rules.Step) []rules.Step {
	for _, s := range more {
		if !slices.ContainsFunc(all, func(known rules.Step) bool { return known.Command == s.Command }) {
			all = rules.AddSteps(all, s)
		}
	}
	return all
}

// comparison says what a loop that writes and a profile full of comparing mean together: what decides whether to write
// never finds two objects equal. Two causes are known: a field that is compared and that the API server doesn't keep,
// because its JSON tag drops it (encoding/json, "-") or because no schema knows it, so that what comes back lacks it
// (the founding case, rancher/fleet); and one that is made anew each time.
func comparison(loop *rules.Finding) string {
	what := "what is compared"
	if loop.Object != nil && loop.Object.Kind != "" && !looseKind(loop.Object.Kind) {
		what += " of the " + loop.Object.Kind
	}
	return fmt.Sprintf("A comparison decides whether to write and never finds two objects equal: %s contains "+
		"something that the API server does not return, such as a field that its JSON tag drops (`json:\"-\"`), or "+
		"something that is new each time", what)
}

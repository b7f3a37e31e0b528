package verdict

import (
	"slices"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
)

// OneCause makes one finding of those that show one cause from several views: an object that its controller writes forever shows
// in the audit log, in two snapshots of it, in the controller's log, and in its CPU profile. The surest lends its words, the others
// add what they saw.
func OneCause(set []*rules.Rule, found []rules.Finding, pass *rules.Pass) []rules.Finding {
	j := joiner{viewsOf(set), targetsOf(pass), onlyProcess(pass), pass.Cluster}
	order := make([]int, len(found))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return j.compare(&found[a], &found[b]) })
	gone := make([]bool, len(found))
	for n, i := range order {
		if gone[i] {
			continue
		}
		main := &found[i]
		// What is joined adds names of its own, by which the next may be found: until nothing new is.
		views := 1
		for again := true; again; {
			again = false
			for _, k := range order[n+1:] {
				if gone[k] || !j.joins(main, &found[k]) {
					continue
				}
				j.add(main, &found[k], views)
				gone[k], again = true, true
				views++
			}
		}
	}
	kept := make([]rules.Finding, 0, len(found))
	for i := range found {
		if !gone[i] {
			kept = append(kept, found[i])
		}
	}
	return kept
}

// compare orders findings by who tells a cause best: the worst first, of equal ones that with the best evidence.
func (j joiner) compare(a, b *rules.Finding) int {
	if c := b.Severity.Rank() - a.Severity.Rank(); c != 0 && (a.Severity.Rank() < rules.Medium.Rank() || b.Severity.Rank() < rules.Medium.Rank()) {
		return c
	}
	if c := j.viewOf(b) - j.viewOf(a); c != 0 {
		return c
	}
	return compareWorse(*a, *b)
}

// A joiner decides which findings show one cause.
type joiner struct {
	views   map[string]rules.View   // by rule
	targets map[string]rules.Target // of the process that an input is of
	// only reports that all profiles are of one process, so that a finding needs no pod to be about it.
	only    bool
	cluster *kube.Cluster // nil where there is none
}

func viewsOf(set []*rules.Rule) map[string]rules.View {
	views := make(map[string]rules.View, len(set))
	for _, r := range set {
		views[r.ID] = r.View()
	}
	return views
}

// targetsOf says whose each log, dump and profile is, where that is known.
func targetsOf(pass *rules.Pass) map[string]rules.Target {
	targets := map[string]rules.Target{}
	add := func(input string, t rules.Target) {
		if t.Pod != "" {
			targets[input] = t
		}
	}
	for _, in := range pass.Logs {
		add(in.Input, in.Target)
	}
	for _, d := range pass.Dumps {
		add(d.Input, d.Target)
	}
	for _, p := range pass.Profiles {
		add(p.Input, p.Target)
	}
	return targets
}

func onlyProcess(pass *rules.Pass) bool {
	for _, p := range pass.Profiles {
		if p.Process != pass.Profiles[0].Process {
			return false
		}
	}
	return len(pass.Profiles) > 0
}

package verdict

import (
	"cmp"
	"slices"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/rules"
)

// OneCause makes one finding of those that show one cause from several views: an object that its controller writes
// forever shows in the audit log, in two snapshots of it, in the controller's log, and in its CPU profile. The surest
// lends its words, the others add what they saw.
func OneCause(set []*rules.Rule, found []rules.Finding, pass *rules.Pass) []rules.Finding {
	if len(found) < 2 {
		return found
	}
	j := newJoiner(set, pass)
	order := make([]*rules.Finding, len(found))
	for i := range order {
		order[i] = &found[i]
	}
	slices.SortStableFunc(order, j.compare)
	gone := make(map[*rules.Finding]bool, len(found))
	for n, main := range order {
		if gone[main] {
			continue
		}
		// What is joined adds names of its own, by which the next may be found: until nothing new is.
		views := 1
		for again := true; again; {
			again = false
			for _, other := range order[n+1:] {
				if !gone[other] && j.joins(main, other) {
					j.add(main, other, views)
					gone[other], again = true, true
					views++
				}
			}
		}
	}
	return without(found, func(i int) bool { return gone[&found[i]] })
}

// compare orders findings by how well they show a cause: the worst first, of equal ones that with the best evidence. A
// lease that changes hands comes before all that it may be the cause of.
func (j joiner) compare(a, b *rules.Finding) int {
	if !a.Alarm() || !b.Alarm() {
		if c := compareSure(a, b); c != 0 && (a.Alarm() != b.Alarm() || a.Severity != b.Severity) {
			return c
		}
	}
	return cmp.Or(trueFirst(flaps(a), flaps(b)), j.viewOf(b)-j.viewOf(a), compareWorse(*a, *b))
}

// A joiner decides which findings show one cause.
type joiner struct {
	views  map[string]rules.View   // by rule
	inputs map[string]rules.Target // the container that an input is of, where its pod is known
	// only reports that all profiles are of one process, so that a finding needs no pod to be about it.
	only    bool
	cluster *kube.Cluster
	logs    []*rules.LogInput
}

// newJoiner is the joiner of a pass.
func newJoiner(set []*rules.Rule, pass *rules.Pass) joiner {
	j := joiner{views: make(map[string]rules.View, len(set)), inputs: targetsByInput(pass), cluster: clusterIn(pass),
		logs: pass.Logs}
	for _, r := range set {
		j.views[r.ID] = r.View()
	}
	other := func(p *rules.ProfileInput) bool { return p.Process != pass.Profiles[0].Process }
	j.only = len(pass.Profiles) > 0 && !slices.ContainsFunc(pass.Profiles, other)
	return j
}

// clusterIn is the objects of the inputs, an empty cluster where there are none.
func clusterIn(pass *rules.Pass) *kube.Cluster { return cmp.Or(parsed.Cluster(pass), &kube.Cluster{}) }

// trailIn is the requests of the inputs' audit logs, an empty trail where there are none.
func trailIn(pass *rules.Pass) *audit.Trail { return cmp.Or(parsed.Trail(pass), &audit.Trail{}) }

// targetsByInput names the container that each log, dump and profile is of, where its pod is known.
func targetsByInput(pass *rules.Pass) map[string]rules.Target {
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
		path, _ := pods.Located(d, d.Line)
		add(d.Input, d.Target)
		add(path, d.Target)
	}
	for _, p := range pass.Profiles {
		add(p.Input, p.Target)
	}
	return targets
}

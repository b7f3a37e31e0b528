package objects

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

func runRestartedEarlier(p *rules.Pass) []rules.Finding {
	return restartedBefore(p.Cluster)
}

// restartedBefore is one finding for all of them: each by itself says little.
func restartedBefore(c *kube.Cluster) []rules.Finding {
	groups := diedByWorkload(c, func(d died) bool {
		return !d.restarting(c) && d.t != nil && d.t.Exit != 0 && !outOfMemoryKill(d.t) && d.c.Restarts > 0 &&
			d.pod.Owner.Kind != "Job"
	})
	if len(groups) == 0 {
		return nil
	}
	panics := func(ds []died) int {
		n := 0
		for _, d := range ds {
			if d.t.Exit == 2 || d.t.Exit == 139 || d.t.Exit == 134 {
				n++
			}
		}
		return n
	}
	slices.SortStableFunc(groups, func(a, b []died) int { return cmp.Or(panics(b)-panics(a), restarts(b)-restarts(a)) })
	var all []died
	for _, g := range groups {
		all = append(all, g...)
	}
	worst := groups[0][0]
	top := c.Top(&worst.pod.Meta)
	f := rules.Finding{
		Category: rules.Crash, Severity: rules.Info, Confidence: rules.ConfLow, Object: objectOf(top), Count: restarts(all),
		Title: kubeTitle(top, fmt.Sprintf("restarted earlier (container %s, exit code %d)", worst.c.Name,
			worst.t.Exit)),
		Why: fmt.Sprintf("%s of %s ended with an error at some time and run now; %s of them with the exit code of a "+
			"panic or a fault.",
			phrase.Counted(len(all), "container"), phrase.Counted(len(groups), "workload"), phrase.Thousands(int64(panics(all)))),
		Next: []rules.Step{worst.target().LogsPrevious(), worst.target().Describe()},
	}
	if len(groups) > 1 {
		f.Title = kubeTitle(top, fmt.Sprintf("restarted earlier, as did %s", phrase.Counted(len(groups)-1, "other workload")))
	}
	if panics(all) > 0 {
		f.Severity = rules.Low
	}
	var first []died
	for _, g := range groups {
		first = append(first, g[0])
	}
	f.Evidence = diedEvidence(first)
	f.FirstSeen, f.LastSeen = seenBetween(all)
	return []rules.Finding{f}
}

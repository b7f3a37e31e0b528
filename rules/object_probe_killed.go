package rules

import (
	"fmt"

	"github.com/gotriage/triage/internal/kube"
)

// probeKilled is TR733.
func probeKilled() *Rule {
	return &Rule{
		ID: idProbeKilled, Name: "probe-killed", Category: Crash, Severity: High, Needs: NeedsObjects,
		Run: func(p *Pass) []Finding {
			c := p.Cluster
			var found []Finding
			for _, g := range diedByWorkload(c, func(d died) bool {
				return d.restarting(c) && !outOfMemoryKill(d.t) && probeKill(c, d) != nil
			}) {
				found = append(found, probeKilledOf(c, g))
			}
			return found
		},
	}
}

func probeKilledOf(c *kube.Cluster, ds []died) Finding {
	d := ds[0]
	top := c.Top(&d.pod.Meta)
	kill := probeKill(c, d)
	f := Finding{
		Category: Crash, Severity: Medium, Confidence: ConfMedium, Object: objectOf(top), Count: restarts(ds),
		Title:    kubeTitle(top, fmt.Sprintf("is killed by its probe: container %s, %s", d.c.Name, counted(restarts(ds), "restart"))),
		Evidence: append([]Evidence{kubeEvidence(kill.At, kill.Last, kill.Count, "Event %s: %s", kill.Reason, kill.Message)}, diedEvidence(ds)...),
		Why:      fmt.Sprintf("The kubelet restarts container %s of %s because its probe fails: %s.", d.c.Name, kindName(top), quoted(kill.Message)),
		Next:     append(d.target().CollectDump(), d.target().Describe()),
		Notes:    []string{"Event counts are lower bounds."},
	}
	if d.c.Waiting == "CrashLoopBackOff" {
		f.Severity = High
	}
	f.FirstSeen, f.LastSeen = seenBetween(ds)
	for _, e := range c.EventsOf("Pod", d.pod.Namespace, d.pod.Name) {
		if e.Reason == "Unhealthy" {
			f.Evidence = append(f.Evidence, kubeEvidence(e.At, e.Last, e.Count, "Event Unhealthy: %s", e.Message))
			break
		}
	}
	return f
}

package objects

import (
	"fmt"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

func runProbeKilled(p *rules.Pass) []rules.Finding {
	c := p.Cluster
	var found []rules.Finding
	for _, g := range diedByWorkload(c, func(d died) bool {
		return d.restarting(c) && !outOfMemoryKill(d.t) && probeKill(c, d) != nil
	}) {
		found = append(found, probeKilledOf(c, g))
	}
	return found
}

func probeKilledOf(c *kube.Cluster, ds []died) rules.Finding {
	d := ds[0]
	top := c.Top(&d.pod.Meta)
	kill := probeKill(c, d)
	f := rules.Finding{
		Category: rules.Crash, Severity: rules.Medium, Confidence: rules.ConfMedium, Object: objectOf(top), Count: restarts(ds),
		Title: kubeTitle(top, fmt.Sprintf("is killed by its probe: container %s, %s", d.c.Name,
			phrase.Counted(restarts(ds), "restart"))),
		Evidence: append([]rules.Evidence{kubeEvidence(kill.At, kill.Last, kill.Count, "Event %s: %s", kill.Reason,
			kill.Message)}, diedEvidence(ds)...),
		Why: fmt.Sprintf("The kubelet restarts container %s of %s because its probe fails: %s.", d.c.Name,
			kindName(top), phrase.Quoted(kill.Message)),
		Next:  rules.AddSteps(d.target().CollectDump(), d.target().Describe()),
		Notes: []string{"Event counts are lower bounds."},
	}
	if d.c.Waiting == "CrashLoopBackOff" {
		f.Severity = rules.High
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

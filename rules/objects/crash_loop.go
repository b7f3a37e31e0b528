package objects

import (
	"fmt"

	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

func runCrashLoop(p *rules.Pass) []rules.Finding {
	groups := diedByWorkload(p.Cluster, func(d died) bool {
		return d.restarting(p.Cluster) && !outOfMemoryKill(d.t) && probeKill(p.Cluster, d) == nil
	})
	var found []rules.Finding
	for _, g := range groups {
		found = append(found, crashLoopOf(p, g))
	}
	return found
}

func crashLoopOf(p *rules.Pass, ds []died) rules.Finding {
	d := ds[0]
	top := p.Cluster.Top(&d.pod.Meta)
	n := restarts(ds)
	f := rules.Finding{
		Category: rules.Crash, Severity: rules.High, Confidence: rules.ConfMedium, Object: objectOf(top), Count: n,
		Evidence: diedEvidence(ds),
		Title:    kubeTitle(top, fmt.Sprintf("keeps restarting: container %s, %s", d.c.Name, phrase.Counted(n, "restart"))),
	}
	f.FirstSeen, f.LastSeen = seenBetween(ds)
	switch {
	case d.c.Waiting != "CrashLoopBackOff":
		f.Severity = rules.Medium
	case d.t != nil && since(p.Cluster, d.t.Finished) > stale:
		// The back-off ends after 5 minutes: this status is not of the time of the others.
		f.Severity, f.Confidence = rules.Low, rules.ConfLow
		f.Notes = append(f.Notes, "Its last end lies long before the time of the other objects, though the kubelet "+
			"waits for 5 minutes at most: the status is old, or its node does not act any more.")
	}
	how := "Its status does not say how it ended."
	if d.t != nil {
		how = "It ended last with " + exitText(d.t)
		if a := ago(p.Cluster, d.t.Finished); a != "" {
			how += ", " + a
		}
		how += "."
		if run := d.t.Finished.Sub(d.t.Started); !d.t.Started.IsZero() && run >= 0 {
			how += fmt.Sprintf(" That run took %s.", phrase.Spell(run))
		}
	}
	f.Why = fmt.Sprintf("Container %s of %s restarted %s in %s. %s", d.c.Name, kindName(top), phrase.CountTimes(n),
		phrase.Counted(len(ds), "pod"), how)
	f.Fix = fmt.Sprintf("Read what container %s says before it ends, and mend that.", d.c.Name)
	log := d.target()
	f.Next = []rules.Step{log.LogsPrevious(), log.Describe()}
	if d.t != nil && d.t.Exit == 2 {
		f.Fix = fmt.Sprintf("Read the traceback at the end of the previous log of container %s: exit code 2 is a Go "+
			"process that panicked.", d.c.Name)
		f.Notes = append(f.Notes, tracebackNote(p, d))
	}
	return f
}

// tracebackNote reports where the traceback of a container that ended with code 2 is, or how to get it.
func tracebackNote(p *rules.Pass, d died) string {
	for _, in := range p.Dumps {
		t := in.Target
		if t.Pod == d.pod.Name && (t.Namespace == "" || t.Namespace == d.pod.Namespace) &&
			(t.Container == "" || t.Container == d.c.Name) {
			return "Its traceback is in the inputs: " + in.Input + "."
		}
	}
	for _, t := range p.Cluster.Tails {
		if t.Pod == d.pod.Name && t.Namespace == d.pod.Namespace && t.Container == d.c.Name {
			return "The end of its traceback is in the pod's status; the whole is at the end of the previous " +
				"container's log: ask for it with --previous before the next restart."
		}
	}
	return "No log in the inputs holds its traceback: ask for the previous container's log (--previous) before the " +
		"next restart replaces it."
}

package objects

import (
	"cmp"
	"fmt"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/profile"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

func runOomKilled(p *rules.Pass) []rules.Finding {
	var found []rules.Finding
	for _, g := range diedByWorkload(p.Cluster,
		func(d died) bool { return outOfMemoryKill(d.t) || outOfMemoryKill(d.c.Last) }) {
		found = append(found, oomKilledOf(p, g))
	}
	return found
}

func oomKilledOf(p *rules.Pass, ds []died) rules.Finding {
	c, d := p.Cluster, ds[0]
	for _, o := range ds { // one that goes on says most
		if o.restarting(c) {
			d = o
			break
		}
	}
	top := c.Top(&d.pod.Meta)
	n := max(restarts(ds), len(ds))
	f := rules.Finding{
		Category: rules.Memory, Severity: rules.Medium, Confidence: rules.ConfHigh, Object: objectOf(top), Count: n,
		Evidence: diedEvidence(ds),
		Title:    kubeTitle(top, fmt.Sprintf("runs out of memory: container %s is OOMKilled", d.c.Name)),
	}
	f.FirstSeen, f.LastSeen = seenBetween(ds)
	end := d.t
	if !outOfMemoryKill(end) {
		end = d.c.Last
	}
	switch {
	case d.restarting(c):
		f.Severity = rules.High
	case c.Time.Sub(end.Finished) > lately, d.c.Restarts < 3:
		f.Severity = rules.Low
	}
	limit, limited := kube.Get(d.c.Limits, "memory")
	request, _ := kube.Get(d.c.Requests, "memory")
	switch {
	case limited:
		f.Why = fmt.Sprintf("The kernel killed container %s of %s at its memory limit of %s (it requests %s).",
			d.c.Name, kindName(top), limit, cmp.Or(request, "nothing"))
		f.Fix = fmt.Sprintf("Compare heap profiles of container %s while it grows and bound what holds the memory; "+
			"set GOMEMLIMIT to about 90 %% of %s so that the collector works against it; raise the limit if the live "+
			"heap needs more.", d.c.Name, limit)
	default:
		f.Why = fmt.Sprintf("The kernel killed container %s of %s, which has no memory limit: the node, or the limit "+
			"of the pod, had no memory left.", d.c.Name, kindName(top))
		f.Fix = fmt.Sprintf("Compare heap profiles of container %s while it grows and bound what holds the memory; "+
			"give it a memory limit and GOMEMLIMIT, so that it is the one that notices.", d.c.Name)
	}
	if run := end.Finished.Sub(end.Started); !end.Started.IsZero() && run >= 0 {
		f.Why += fmt.Sprintf(" That run took %s.", phrase.Spell(run))
	}
	f.Why += " " + fmt.Sprintf("It restarted %s in all.", phrase.CountTimes(restarts(ds)))
	for _, in := range p.Profiles {
		if t := in.Target; in.Kind == profile.KindHeap && t.Pod == d.pod.Name &&
			(t.Namespace == "" || t.Namespace == d.pod.Namespace) {
			f.Notes = append(f.Notes, "A heap profile of it is in the inputs: "+in.Input+".")
			break
		}
	}
	f.Next = []rules.Step{
		d.target().Top(), d.target().PortForward(),
		rules.Command("go tool pprof -top http://localhost:6060/debug/pprof/heap"), d.target().LogsPrevious(),
	}
	return f
}

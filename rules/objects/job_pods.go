package objects

import (
	"fmt"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds of a Job whose pods fail. One pod after the other waits for a back-off of 10 s that doubles up to 6 minutes
// (pkg/controller/job/backoff_utils.go): 24 failures of a Job with a backoffLimit of 30 take hours. Only indexes or
// pods that run side by side fail by the dozen within minutes. The bounds are chosen.
const (
	failedPods   = 40
	failedWindow = 10 * time.Minute
	// failedShare of its ended pods: some of 160 fail in any large Job.
	failedShare = 0.8
	// quickEnd is a life that did no work (chosen).
	quickEnd = 10 * time.Second
	// endedLong is how long after its last pod a Job that has ended is a thing of the past (chosen).
	endedLong = 2 * time.Minute
)

// runJobPodsFail is job-pods-fail (TR755).
func runJobPodsFail(c *kube.Cluster) []rules.Finding {
	type key struct{ namespace, name string }
	var jobs grouping[key, *kube.Pod]
	ended := map[key]int{}
	for _, p := range c.Pods {
		if p.Owner.Kind != "Job" {
			continue
		}
		k := key{p.Namespace, p.Owner.Name}
		switch p.Phase {
		case "Failed":
			jobs.add(k, p)
			ended[k]++
		case "Succeeded":
			ended[k]++
		}
	}
	var found []rules.Finding
	for _, k := range jobs.keys {
		pods := jobs.values[k]
		n, all := len(pods), ended[k]
		w := c.Workload("Job", k.namespace, k.name)
		if w != nil {
			n, all = max(n, int(w.Failed)), max(all, int(w.Failed+w.Succeeded))
		}
		if n >= failedPods && float64(n) >= failedShare*float64(all) && !rejection(pods[0].Reason) {
			if f, ok := jobPodsFail(c, w, pods, n); ok {
				found = append(found, f)
			}
		}
	}
	return found
}

func jobPodsFail(c *kube.Cluster, w *kube.Workload, pods []*kube.Pod, n int) (rules.Finding, bool) {
	slices.SortStableFunc(pods, func(a, b *kube.Pod) int { return a.Created.Compare(b.Created) })
	first, last := pods[0], pods[len(pods)-1]
	quick := 0
	exits := map[int]int{}
	var end *kube.Termination
	for _, p := range pods {
		for i := range p.Containers {
			t := p.Containers[i].Now
			if t == nil || t.Exit == 0 {
				continue
			}
			exits[t.Exit]++
			if end = t; t.Finished.Sub(t.Started) <= quickEnd {
				quick++
			}
		}
	}
	span := last.Created.Sub(first.Created)
	if 2*quick < len(pods) || span > failedWindow &&
		n < int(float64(failedPods)*span.Seconds()/failedWindow.Seconds()) {
		return rules.Finding{}, false
	}
	top := c.Top(&first.Meta)
	about := first.Owner
	if w != nil {
		about = w.Ref
	}
	f := finding(about, rules.Medium, rules.ConfHigh, n, first.Created, last.Created)
	if jobOver(w, since(c, last.Created)) {
		f.Severity = rules.Low
	}
	f.Title = title(about, fmt.Sprintf("has %d failed pods, made within %s", n, phrase.Spell(span)))
	how := "with an error"
	if end != nil {
		how = "with " + exitText(end)
	}
	f.Why = fmt.Sprintf("%d pods of %s failed, nearly all that ended, most of them within %s of their start, %s; "+
		"the Job's controller makes the next at once.", n, kindName(about), phrase.Spell(quickEnd), how)
	if top != about {
		f.Objects = []rules.Object{*objectOf(top)}
	}
	f.Evidence = []rules.Evidence{
		evidence(first.At, first.Created, n, "first of %s: %s: Failed: %s", phrase.Count(n, "pod"), first.Name,
			howEnded(first)),
		evidence(last.At, last.Created, 1, "last: %s: Failed: %s", last.Name, howEnded(last)),
	}
	if w != nil {
		f.Evidence = append(f.Evidence, evidence(w.At, w.Written, 1, "%s: %d failed, %d succeeded, %d active",
			kindName(w.Ref), w.Failed, w.Succeeded, w.Active))
	}
	f.Fix = fmt.Sprintf("Read the log of one failed pod and correct what ends it; suspend Job %s until then, and "+
		"lower its parallelism and backoffLimitPerIndex.", about.Name)
	log := rules.Target{Namespace: last.Namespace, Pod: last.Name}
	f.Next = []rules.Step{log.Logs(), describe(last),
		{Command: kubectlOn(about, "patch", "-p '{\"spec\":{\"suspend\":true}}'"), Comment: "stops it", Changes: true}}
	return f, true
}

// jobOver reports whether no pod of the Job will follow; last is how long ago the newest was made, and w may be nil.
func jobOver(w *kube.Workload, last time.Duration) bool {
	if w != nil {
		if _, ended := finishedAt(w); ended && last > endedLong {
			return true
		}
	}
	return last > failedWindow
}

// howEnded is how the first failed container of a pod ended.
func howEnded(p *kube.Pod) string {
	for i := range p.Containers {
		if t := p.Containers[i].Now; t != nil && t.Exit != 0 {
			s := containerText(p.Containers[i].Name) + ", " + exitText(t)
			if t.Message != "" {
				s += ": " + lastWords(t.Message)
			}
			return s
		}
	}
	return p.Reason + " " + p.Message
}

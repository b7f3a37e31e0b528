package objects

import (
	"cmp"
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
	type key struct{ kind, namespace, name string }
	var jobs grouping[key, *kube.Pod]
	ended := map[key]int{}
	for _, p := range c.Pods {
		if !runsOnce(p) {
			continue
		}
		k := key{p.Owner.Kind, p.Namespace, p.Owner.Name}
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
		w := c.Workload(k.kind, k.namespace, k.name)
		if w != nil && k.kind == "Job" {
			n, all = max(n, int(w.Failed)), max(all, int(w.Failed+w.Succeeded))
		}
		slices.SortStableFunc(pods, func(a, b *kube.Pod) int { return a.Created.Compare(b.Created) })
		if n >= failedPods && float64(n) >= failedShare*float64(all) && !rejection(pods[0].Reason) &&
			(k.kind == "Job" || oneAfterTheOther(pods)) {
			if f, ok := jobPodsFail(c, w, pods, n); ok {
				found = append(found, f)
				continue
			}
		}
		if k.kind == "Job" && inVain(c, w, pods, n, all) {
			found = append(found, jobInVain(c, w, pods, n))
		}
	}
	return found
}

// runsOnce reports a pod whose controller makes another where it has failed: a Job's, or one of a custom resource. The
// controllers that keep replicas have containers restarted in place.
func runsOnce(p *kube.Pod) bool {
	switch p.Owner.Kind {
	case "", "Node", "ReplicaSet", "StatefulSet", "DaemonSet", "ReplicationController":
		return false
	}
	return true
}

// oneAfterTheOther reports pods that follow one another, four or more in each place: a workflow whose many steps fail
// together makes none of them anew. Chosen.
func oneAfterTheOther(pods []*kube.Pod) bool {
	type moment struct {
		at   time.Time
		more int
	}
	var moments []moment
	for _, p := range pods {
		end := endOf(p)
		if p.Created.IsZero() || end.IsZero() {
			return false
		}
		moments = append(moments, moment{p.Created, 1}, moment{end, -1})
	}
	slices.SortFunc(moments, func(a, b moment) int { return cmp.Or(a.at.Compare(b.at), a.more-b.more) })
	most, now := 0, 0
	for _, m := range moments {
		now += m.more
		most = max(most, now)
	}
	return 4*most <= len(pods)
}

// endOf is when the last container of a pod ended.
func endOf(p *kube.Pod) (at time.Time) {
	for i := range p.Containers {
		if t := p.Containers[i].Now; t != nil && t.Finished.After(at) {
			at = t.Finished
		}
	}
	return at
}

// quickEnds counts the failed containers that did no work, and returns the end of the last that failed.
func quickEnds(pods []*kube.Pod) (quick int, end *kube.Termination) {
	for _, p := range pods {
		for i := range p.Containers {
			t := p.Containers[i].Now
			if t == nil || t.Exit == 0 {
				continue
			}
			if end = t; t.Finished.Sub(t.Started) <= quickEnd {
				quick++
			}
		}
	}
	return quick, end
}

func jobPodsFail(c *kube.Cluster, w *kube.Workload, pods []*kube.Pod, n int) (rules.Finding, bool) {
	first, last := pods[0], pods[len(pods)-1]
	quick, end := quickEnds(pods)
	span := last.Created.Sub(first.Created)
	if 2*quick < len(pods) || span > failedWindow &&
		n < int(float64(failedPods)*span.Seconds()/failedWindow.Seconds()) {
		return rules.Finding{}, false
	}
	f, about := failedFinding(c, w, pods, n)
	f.Confidence = rules.ConfHigh
	if jobOver(w, since(c, last.Created)) {
		f.Severity = rules.Low
	}
	f.Title = title(about, fmt.Sprintf("has %d failed pods, made within %s", n, phrase.Spell(span)))
	how := "with an error"
	if end != nil {
		how = "with " + exitText(end)
	}
	f.Why = fmt.Sprintf("%d pods of %s failed, nearly all that ended, most of them within %s of their start, %s; "+
		"its controller makes the next one at once.", n, kindName(about), phrase.Spell(quickEnd), how)
	if w != nil && w.Kind == "Job" {
		f.Evidence = append(f.Evidence, evidence(w.At, w.Written, 1, "%s: %d failed, %d succeeded, %d active",
			kindName(w.Ref), w.Failed, w.Succeeded, w.Active))
	}
	f.Fix = fmt.Sprintf("Read the log of one failed pod and correct what ends it; suspend Job %s until then, and "+
		"lower its parallelism and backoffLimitPerIndex.", about.Name)
	if about.Kind != "Job" {
		f.Fix = fmt.Sprintf("Read the log of one failed pod and correct what ends it; let the controller "+
			"of %s wait longer after each failure.", kindName(about))
		return f, true
	}
	f.Next = append(f.Next, rules.Step{Command: kubectlOn(about, "patch", "-p '{\"spec\":{\"suspend\":true}}'"),
		Comment: "stops it", Changes: true})
	return f, true
}

// failedFinding is what a finding about failed pods, oldest first, says of them, whatever their number shows; w, which
// makes them, may be nil.
func failedFinding(c *kube.Cluster, w *kube.Workload, pods []*kube.Pod, n int) (f rules.Finding, about kube.Ref) {
	first, last := pods[0], pods[len(pods)-1]
	about = first.Owner
	if w != nil {
		about = w.Ref
	}
	f = finding(about, rules.Medium, rules.ConfMedium, n, first.Created, last.Created)
	if top := c.Top(&first.Meta); top != about {
		f.Objects = []rules.Object{*objectOf(top)}
	}
	f.Evidence = []rules.Evidence{
		evidence(first.At, first.Created, n, "first of %s: %s: Failed: %s", phrase.Count(n, "pod"), first.Name,
			howEnded(first)),
		evidence(last.At, last.Created, 1, "last: %s: Failed: %s", last.Name, howEnded(last)),
	}
	f.Next = []rules.Step{rules.Target{Namespace: last.Namespace, Pod: last.Name}.Logs(), describe(last)}
	return f, about
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

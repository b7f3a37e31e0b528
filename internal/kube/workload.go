package kube

import (
	"slices"
	"time"
)

// maxTerms bounds the holders of a Lease that its versions show.
const maxTerms = 64

func (r *Reader) workload(n int32, line int64, m Meta) *Workload {
	t, w := &r.tree, &Workload{Meta: m}
	spec, status := t.get(n, "spec"), t.get(n, "status")
	w.Replicas = -1
	for _, key := range []string{"replicas", "parallelism"} {
		if v, ok := parseInt(t.text(t.get(spec, key))); ok {
			w.Replicas = v
		}
	}
	w.Ready = t.integer(t.get(status, "readyReplicas"))
	if w.Kind == "DaemonSet" {
		if v, ok := parseInt(t.text(t.get(status, "desiredNumberScheduled"))); ok {
			w.Replicas = v
		}
		w.Ready = t.integer(t.get(status, "numberReady"))
	}
	template := t.at(spec, "template", "spec")
	if w.Kind == "CronJob" {
		template = t.at(spec, "jobTemplate", "spec", "template", "spec")
	}
	w.Current, w.Active = t.integer(t.get(status, "replicas")), t.integer(t.get(status, "active"))
	w.Kept = r.kept(spec, w.Kind)
	if node := t.get(template, "nodeName"); node != 0 {
		w.NodeName = r.identAt(node)
		w.TemplateLine = line + int64(t.nodes[node].line)
	}
	return w
}

// lease reads a Lease (coordination.k8s.io/v1, LeaseSpec).
func (r *Reader) lease(n int32, line int64, m Meta) *Lease {
	t := &r.tree
	spec := t.get(n, "spec")
	l := &Lease{Meta: m, Holder: r.identAt(spec, "holderIdentity"),
		Transitions: t.integer(t.get(spec, "leaseTransitions")),
		Duration:    time.Duration(t.integer(t.get(spec, "leaseDurationSeconds"))) * time.Second,
		Renewed:     t.moment(t.get(spec, "renewTime"))}
	l.Since = l.Renewed
	if l.Holder != "" {
		l.Terms = []Term{{Holder: l.Holder, Transitions: l.Transitions,
			Acquired: t.moment(t.get(spec, "acquireTime")), Renewed: l.Renewed, At: m.At}}
	}
	return l
}

// after puts the terms of an older version of the lease before its own.
func (l *Lease) after(older objectRecord) {
	old, ok := older.(*Lease)
	if !ok || old == l {
		return
	}
	l.Since = old.Since
	if len(old.Terms) == 0 {
		return
	}
	terms := slices.Clone(old.Terms)
	if len(l.Terms) == 0 {
		terms[len(terms)-1].Released = true
	}
	for _, t := range l.Terms {
		last := &terms[len(terms)-1]
		if last.Holder == t.Holder && last.Transitions == t.Transitions {
			last.Renewed, last.Released = latest(last.Renewed, t.Renewed), last.Released || t.Released
		} else if len(terms) < maxTerms {
			terms = append(terms, t)
		}
	}
	l.Terms = terms
}

// budget reads a PodDisruptionBudget (policy/v1).
func (r *Reader) budget(n int32, m Meta) *Budget {
	t := &r.tree
	spec, status := t.get(n, "spec"), t.get(n, "status")
	return &Budget{
		Meta: m, Known: t.get(status, "expectedPods") != 0, Allowed: t.integer(t.get(status, "disruptionsAllowed")),
		Healthy: t.integer(t.get(status, "currentHealthy")), Wanted: t.integer(t.get(status, "desiredHealthy")),
		Expected: t.integer(t.get(status, "expectedPods")), MinAvailable: r.identAt(spec, "minAvailable"),
		MaxUnavailable: r.identAt(spec, "maxUnavailable"), Selector: r.pairs(t.at(spec, "selector", "matchLabels")),
	}
}

// scaler reads a HorizontalPodAutoscaler (autoscaling/v2).
func (r *Reader) scaler(n int32, m Meta) *Scaler {
	t := &r.tree
	spec := t.get(n, "spec")
	target := t.get(spec, "scaleTargetRef")
	return &Scaler{
		Meta: m, Target: Ref{Kind: r.identAt(target, "kind"), Namespace: m.Namespace, Name: r.identAt(target, "name")},
		Min: t.integer(t.get(spec, "minReplicas")), Max: t.integer(t.get(spec, "maxReplicas")),
	}
}

// kept is how many pods, Jobs or ReplicaSets the description of a workload leaves (Workload.Kept). The defaults are the
// API's (batch/v1, apps/v1).
func (r *Reader) kept(spec int32, kind string) int64 {
	or := func(key string, usual int64) int64 {
		if v, ok := parseInt(r.tree.text(r.tree.get(spec, key))); ok {
			return v
		}
		return usual
	}
	switch kind {
	case "Job":
		return max(or("completions", 1), or("parallelism", 1)) + or("backoffLimit", 6)
	case "CronJob":
		return or("successfulJobsHistoryLimit", 3) + or("failedJobsHistoryLimit", 1)
	case "Deployment":
		return or("revisionHistoryLimit", 10)
	}
	return 0
}

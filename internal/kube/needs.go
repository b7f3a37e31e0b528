package kube

import "slices"

// maxNeeds bounds the objects that one object refers to; real ones name some ten.
const maxNeeds = 64

// needs are the objects without which n does not work, each once: what the pods of a workload mount and read, and the
// Service behind a webhook or an aggregated API. What is marked optional is none.
func (r *Reader) needs(n int32, m *Meta) (all []Need) {
	t := &r.tree
	add := func(kind string, namespace, ref int32, key, how string) {
		name := r.identAt(ref, key)
		need := Need{Kind: kind, Namespace: m.Namespace, Name: name, How: how}
		if namespace != 0 {
			need.Namespace = r.ident(t.text(namespace))
		}
		if name != "" && len(all) < maxNeeds && !t.isTrue(t.get(ref, "optional")) && !slices.Contains(all, need) {
			all = append(all, need)
		}
	}
	switch m.Kind {
	case "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration":
		t.each(t.get(n, "webhooks"), maxPairs, func(e int32) {
			s := t.at(e, "clientConfig", "service")
			how := "calls"
			if r.identAt(e, "failurePolicy") == "Fail" {
				how = "must reach"
			}
			add("Service", t.get(s, "namespace"), s, "name", how)
		})
	case "APIService":
		s := t.at(n, "spec", "service")
		add("Service", t.get(s, "namespace"), s, "name", "is served by")
	default:
		pod := r.podSpec(n, m)
		t.each(t.get(pod, "volumes"), maxPairs, func(v int32) {
			add("Secret", 0, t.get(v, "secret"), "secretName", "mounts")
			add("ConfigMap", 0, t.get(v, "configMap"), "name", "mounts")
			add("PersistentVolumeClaim", 0, t.get(v, "persistentVolumeClaim"), "claimName", "mounts")
		})
		for _, list := range []string{"initContainers", "containers"} {
			t.each(t.get(pod, list), maxContainers, func(c int32) {
				t.each(t.get(c, "envFrom"), maxPairs, func(e int32) {
					add("Secret", 0, t.get(e, "secretRef"), "name", "reads")
					add("ConfigMap", 0, t.get(e, "configMapRef"), "name", "reads")
				})
				t.each(t.get(c, "env"), maxPairs, func(e int32) {
					from := t.get(e, "valueFrom")
					add("Secret", 0, t.get(from, "secretKeyRef"), "name", "reads")
					add("ConfigMap", 0, t.get(from, "configMapKeyRef"), "name", "reads")
				})
			})
		}
	}
	return all
}

// podSpec is the description of pods in a workload's template, or that of a pod which no workload makes; 0 for others.
func (r *Reader) podSpec(n int32, m *Meta) int32 {
	t := &r.tree
	switch {
	case m.Kind == "Pod" && !slices.Contains(workloads, m.Owner.Kind):
		return t.get(n, "spec")
	case m.Kind == "CronJob":
		return t.at(n, "spec", "jobTemplate", "spec", "template", "spec")
	case slices.Contains(workloads, m.Kind):
		return t.at(n, "spec", "template", "spec")
	}
	return 0
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

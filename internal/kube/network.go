package kube

import (
	"slices"
	"strings"
)

// network makes the record of what leads requests to pods, and of kinds without a type of their own.
func (r *Reader) network(n int32, m Meta) described {
	t := &r.tree
	switch g := group(m.API); {
	case m.Kind == "Service" && g == "":
		spec := t.get(n, "spec")
		return &Service{Meta: m, Selector: r.pairs(t.get(spec, "selector")), Type: r.identAt(spec, "type")}
	case m.Kind == "EndpointSlice" && g == "discovery.k8s.io":
		s := &EndpointSlice{Meta: m, Service: r.identAt(n, "metadata", "labels", "kubernetes.io/service-name")}
		t.each(t.get(n, "endpoints"), maxPairs, func(int32) { s.Endpoints++ })
		return s
	}
	o := &Other{Meta: m}
	if strings.HasSuffix(m.Kind, "WebhookConfiguration") {
		t.each(t.get(n, "webhooks"), maxPairs, func(e int32) { o.Webhooks = append(o.Webhooks, r.identAt(e, "name")) })
	}
	return o
}

// maxNeeds bounds the objects that one object refers to; real ones name some ten.
const maxNeeds = 64

// needs are the objects without which n does not work, each once: what the pods of a workload mount and read, and the
// Services behind a webhook, an aggregated API or an Ingress. What is marked optional is none.
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
	case "Ingress":
		spec := t.get(n, "spec")
		add("Service", 0, t.at(spec, "defaultBackend", "service"), "name", "routes to")
		t.each(t.get(spec, "rules"), maxPairs, func(rule int32) {
			t.each(t.at(rule, "http", "paths"), maxPairs, func(p int32) {
				add("Service", 0, t.at(p, "backend", "service"), "name", "routes to")
			})
		})
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

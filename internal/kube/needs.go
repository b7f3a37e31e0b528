package kube

import "slices"

// maxNeeds bounds the objects that one object refers to; real ones name some ten.
const maxNeeds = 64

// needs are the Services without which n does not work, each once: those behind a webhook, an aggregated API or an
// Ingress.
func (r *Reader) needs(n int32, m *Meta) (all []Need) {
	t := &r.tree
	add := func(service int32, how string) {
		need := Need{Namespace: m.Namespace, Name: r.identAt(service, "name"), How: how}
		if m.Kind != "Ingress" {
			need.Namespace = r.identAt(service, "namespace")
		}
		if need.Name != "" && len(all) < maxNeeds && !slices.Contains(all, need) {
			all = append(all, need)
		}
	}
	spec := t.get(n, "spec")
	switch m.Kind {
	case "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration":
		t.each(t.get(n, "webhooks"), maxPairs, func(e int32) {
			how := "calls"
			if r.identAt(e, "failurePolicy") == "Fail" {
				how = "must reach"
			}
			add(t.at(e, "clientConfig", "service"), how)
		})
	case "APIService":
		add(t.get(spec, "service"), "is served by")
	case "Ingress":
		add(t.at(spec, "defaultBackend", "service"), "routes to")
		t.each(t.get(spec, "rules"), maxPairs, func(rule int32) {
			t.each(t.at(rule, "http", "paths"), maxPairs, func(p int32) {
				add(t.at(p, "backend", "service"), "routes to")
			})
		})
	}
	return all
}

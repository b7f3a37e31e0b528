package kube

import (
	"cmp"
	"slices"
	"strings"
)

// maxNeeds bounds the objects that one object refers to; real ones name some ten.
const maxNeeds = 64

// How an object refers to others where the words are looked at. The words for a field end in Names.
const (
	IsAlias   = "is an alias of"
	DependsOn = "depends on"
	Names     = " names"
)

// refKinds are the kinds of references that name none, by the name of the field.
var refKinds = map[string]string{"secretRef": "Secret", "configMapRef": "ConfigMap", "issuerRef": "Issuer",
	"parentRefs": "Gateway", "backendRefs": "Service"}

// historic are references that stay when what they name is gone as it should be: what a volume was made from, and the
// claim of a volume that is kept.
var historic = []string{"dataSourceRef", "claimRef"}

// elsewhere are fields of a reference to something that is no object of this cluster.
var elsewhere = []string{"external", "bundle", "resolver"}

// needs are the objects without which n does not work, each once: the Services behind a webhook, an aggregated API or
// an Ingress, what an alias stands for, and what fields of its spec like scaleTargetRef name.
func (r *Reader) needs(n int32, m *Meta) (all []Need) {
	t := &r.tree
	add := func(need Need) {
		if need.Name != "" && need.Kind != "" && len(all) < maxNeeds && !slices.Contains(all, need) {
			all = append(all, need)
		}
	}
	service := func(e int32, namespace, how string) {
		add(Need{Kind: "Service", Namespace: cmp.Or(namespace, r.identAt(e, "namespace")),
			Name: r.identAt(e, "name"), How: how})
	}
	spec := t.get(n, "spec")
	switch m.Kind {
	case "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration":
		t.each(t.get(n, "webhooks"), maxPairs, func(e int32) {
			how := "calls"
			if r.identAt(e, "failurePolicy") == "Fail" {
				how = "must reach"
			}
			service(t.at(e, "clientConfig", "service"), "", how)
		})
	case "APIService":
		service(t.get(spec, "service"), "", "is served by")
	case "Ingress":
		service(t.at(spec, "defaultBackend", "service"), m.Namespace, "routes to")
		t.each(t.get(spec, "rules"), maxPairs, func(rule int32) {
			t.each(t.at(rule, "http", "paths"), maxPairs, func(p int32) {
				service(t.at(p, "backend", "service"), m.Namespace, "routes to")
			})
		})
	case "Service":
		if name, host, ok := strings.Cut(r.identAt(spec, "externalName"), "."); ok {
			namespace, end, _ := strings.Cut(host, ".")
			if strings.Trim(end, ".") == "svc" || strings.HasPrefix(end, "svc.cluster.local") {
				add(Need{Kind: "Service", Namespace: namespace, Name: name, How: IsAlias})
			}
		}
	}
	r.references(spec, m.Namespace, add)
	t.each(t.get(spec, "rules"), maxPairs, func(rule int32) { r.references(rule, m.Namespace, add) })
	t.each(t.get(spec, "dependsOn"), maxPairs, func(e int32) {
		add(Need{Kind: cmp.Or(r.identAt(e, "kind"), m.Kind), Name: r.identAt(e, "name"), How: DependsOn,
			Namespace: cmp.Or(r.identAt(e, "namespace"), m.Namespace)})
	})
	return all
}

// references adds what the fields of a mapping whose names end in Ref or Refs name.
func (r *Reader) references(n int32, namespace string, add func(Need)) {
	t := &r.tree
	if t.nodes[n].kind != mapNode {
		return
	}
	for c := t.nodes[n].child; c != 0; c = t.nodes[c].next {
		key := t.buf[t.nodes[c].keyOff:t.nodes[c].keyEnd]
		one := len(key) > 3 && string(key[len(key)-3:]) == "Ref"
		if many := len(key) > 4 && string(key[len(key)-4:]) == "Refs"; !one && !many {
			continue
		}
		field := r.ident(key)
		see := func(e int32) {
			if t.isTrue(t.get(e, "optional")) || slices.Contains(historic, field) ||
				slices.ContainsFunc(elsewhere, func(key string) bool { return t.get(e, key) != 0 }) {
				return
			}
			add(Need{Kind: cmp.Or(r.identAt(e, "kind"), refKinds[field]), Name: r.identAt(e, "name"),
				Group:     cmp.Or(group(r.identAt(e, "apiVersion")), r.identAt(e, "group")),
				Namespace: cmp.Or(r.identAt(e, "namespace"), namespace), How: field + Names})
		}
		if t.nodes[c].kind == mapNode {
			see(c)
		} else {
			t.each(c, maxPairs, see)
		}
	}
}

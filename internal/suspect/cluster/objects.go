package cluster

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/kube"
)

// pods see those that failed, by workload and reason.
func (v *view) pods() {
	for _, p := range v.c.Pods {
		if p.Phase == "Failed" && !p.Gone {
			v.see(failed, v.root(keyOf(p.Ref)), failureOf(p)).
				add(1, p.Created, p.Created, p.Message, at(p.At, p.Created))
		}
	}
}

// failureOf is why a pod failed.
func failureOf(p *kube.Pod) string {
	for _, c := range p.Containers {
		if t := c.Now; t != nil && t.Exit != 0 && p.Reason == "" {
			return fmt.Sprintf("%s (exit code %d)", cmp.Or(t.Reason, "Error"), t.Exit)
		}
	}
	return cmp.Or(p.Reason, "Failed")
}

// needs see what refers to an object that the inputs lack, where they hold others of that kind and namespace.
func (v *view) needs() {
	collected := map[key]bool{}
	v.c.Each(func(m *kube.Meta) { collected[key{m.Kind, m.Namespace, ""}] = m.Namespace != "" })
	check := func(m *kube.Meta, n kube.Need) {
		k := key{n.Kind, n.Namespace, n.Name}
		if n.Name != "" && !m.Gone && v.there(k) == nil && collected[key{n.Kind, n.Namespace, ""}] && !v.done(m) {
			f := v.see(missing, v.root(keyOf(m.Ref)), n.How, k.String()).
				add(1, m.Written, m.Written, "", at(m.At, m.Written))
			f.via = addFew(f.via, k)
		}
	}
	v.c.Each(func(m *kube.Meta) {
		for _, n := range m.Needs {
			check(m, n)
		}
	})
	for _, i := range v.c.Ingresses {
		for _, name := range i.Services {
			check(&i.Meta, kube.Need{Kind: "Service", Namespace: i.Namespace, Name: name, How: "routes to"})
		}
	}
}

// selectors see Services that select none of the pods of their namespace.
func (v *view) selectors() {
	pods := map[string][]*kube.Pod{}
	for _, p := range v.c.Pods {
		if !p.Gone && len(p.Labels) > 0 { // tables of kubectl don't show labels
			pods[p.Namespace] = append(pods[p.Namespace], p)
		}
	}
	for _, s := range v.c.Services {
		all := pods[s.Namespace]
		if s.Gone || len(s.Selector) == 0 || s.Type == "ExternalName" || len(all) == 0 ||
			slices.ContainsFunc(all, func(p *kube.Pod) bool { return selects(s, p) }) {
			continue
		}
		asked := ""
		for i, p := range s.Selector[:min(len(s.Selector), 3)] {
			asked += onlyIf(i > 0, ",") + p.Name + "=" + p.Value
		}
		v.see(selector, keyOf(s.Ref), asked).add(1, s.Created, s.Created, "", at(s.At, s.Written))
	}
}

func selects(s *kube.Service, p *kube.Pod) bool {
	return !slices.ContainsFunc(s.Selector, func(want kube.Pair) bool {
		value, ok := kube.Get(p.Labels, want.Name)
		return !ok || value != want.Value
	})
}

// events see warnings, by workload, reason and message.
func (v *view) events() {
	for _, e := range v.c.Events {
		if e.Type == "Normal" {
			continue
		}
		f := v.see(event, v.root(keyOf(e.Object)), e.Reason, "", form(e.Message)).
			add(e.Count, e.First, e.Last, e.Message, at(e.At, e.First))
		v.explain(f, e.Object.Namespace)
	}
}

package cluster

import (
	"slices"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules/phrase"
)

// A lack is an object that the inputs lack and that others refer to, with how they do: "mounts".
type lack struct {
	object key
	how    string
}

// An asking is the workloads that refer to it: how many objects, the first few roots, and the first object's place.
type asking struct {
	count int
	roots []key
	one   *kube.Meta
}

// references files objects that others need and that the inputs lack, where they hold others of that kind and namespace.
func (v *view) references() {
	type place struct{ kind, namespace string }
	collected := map[place]bool{}
	v.c.Each(func(m *kube.Meta) {
		if !slices.Contains(clusterWide, m.Kind) {
			collected[place{m.Kind, m.Namespace}] = true
		}
	})
	lacks := newGroups[lack, asking]()
	check := func(m *kube.Meta, n kube.Need) {
		k := key{n.Kind, n.Namespace, n.Name}
		if n.Name == "" || m.Gone || v.there(k) != nil || !collected[place{n.Kind, n.Namespace}] {
			return
		}
		a := lacks.of(lack{k, n.How})
		if a.count++; a.one == nil {
			a.one = m
		}
		if root := v.root(keyOf(m.Ref)); len(a.roots) < maxRefs && !slices.Contains(a.roots, root) {
			a.roots = append(a.roots, root)
		}
	}
	v.c.Each(func(m *kube.Meta) {
		if !v.ended(m) {
			for _, n := range m.Needs {
				check(m, n)
			}
		}
	})
	for _, in := range v.c.Ingresses {
		for _, name := range in.Services {
			check(&in.Meta, kube.Need{Kind: "Service", Namespace: in.Namespace, Name: name, How: "routes to"})
		}
	}
	for _, s := range v.c.Scalers {
		check(&s.Meta, kube.Need{Kind: s.Target.Kind, Namespace: s.Namespace, Name: s.Target.Name, How: "scales"})
	}
	lacks.each(func(l lack, a *asking) {
		f := fact{about: a.roots[0], kind: missing, points: 34 + grows(float64(a.count), 2, 8), count: a.count,
			at: at(a.one.At, a.one.Written), via: append([]key{l.object}, a.roots[1:]...),
			text: l.how + " " + l.object.String() + ", which the inputs lack"}
		if more := len(a.roots) - 1; more > 0 {
			f.more = ", as " + phrase.Count(more, "other") + " does"
		}
		v.file(f)
	})
}

// configurations adds the configurations of admission webhooks that list one of that name.
func (v *view) configurations(name string, add func(key)) {
	if v.hooks == nil {
		v.hooks = map[string][]key{}
		if v.c != nil {
			for _, o := range v.c.Others {
				for _, h := range o.Webhooks {
					v.hooks[h] = append(v.hooks[h], keyOf(o.Ref))
				}
			}
		}
	}
	for _, k := range v.hooks[name] {
		add(k)
	}
}

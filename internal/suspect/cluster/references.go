package cluster

import (
	"slices"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules/phrase"
)

// references files what needs an object that the inputs lack, where they hold others of that kind and namespace.
func (v *view) references() {
	type place struct{ kind, namespace string }
	collected := map[place]bool{}
	v.c.Each(func(m *kube.Meta) { collected[place{m.Kind, m.Namespace}] = !slices.Contains(clusterWide, m.Kind) })
	var all groups[tally]
	check := func(m *kube.Meta, n kube.Need) {
		k := key{n.Kind, n.Namespace, n.Name}
		if n.Name == "" || m.Gone || v.there(k) != nil || !collected[place{n.Kind, n.Namespace}] {
			return
		}
		t := all.of(group{about: k, a: n.How})
		t.addObject(m, 0, "", m.Written)
		t.keys = addFew(t.keys, v.root(keyOf(m.Ref)))
	}
	v.c.Each(func(m *kube.Meta) {
		if len(m.Needs) > 0 && !v.done(m) {
			for _, n := range m.Needs {
				check(m, n)
			}
		}
	})
	for _, i := range v.c.Ingresses {
		for _, name := range i.Services {
			check(&i.Meta, kube.Need{Kind: "Service", Namespace: i.Namespace, Name: name, How: "routes to"})
		}
	}
	for _, s := range v.c.Scalers {
		check(&s.Meta, kube.Need{Kind: s.Target.Kind, Namespace: s.Namespace, Name: s.Target.Name, How: "scales"})
	}
	all.each(func(g group, t *tally) {
		v.file(fact{about: t.keys[0], kind: "missing", count: t.count, at: t.at,
			points: 34 + grows(float64(t.count), 2, 8), via: append([]key{g.about}, t.keys[1:]...),
			text: g.a + " " + g.about.String() + ", which the inputs lack",
			more: onlyIf(len(t.keys) > 1, ", as "+phrase.Count(len(t.keys)-1, "other")+" does")})
	})
}

package cluster

import (
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// fewSpecs is how often a description is changed before that is a fact. Chosen: an autoscaler changes it a few times an
// hour.
const fewSpecs = 12

// workloads files what the objects around pods show: descriptions changed often, budgets that allow nothing, Leases
// that change hands, Services without pods.
func (v *view) workloads() {
	v.c.Each(func(m *kube.Meta) {
		if m.Gone || m.Kind == "Lease" || m.Kind == "Node" {
			return
		}
		n, long := m.Generation-1, v.age(m)
		perMinute := float64(m.Generation) / max(long.Minutes(), 1)
		f := fact{about: v.root(keyOf(m.Ref)), kind: "respecified", of: rules.HotLoop, at: at(m.At, m.Written),
			points: 10 + min(30, 4*lg(float64(m.Generation)/fewSpecs)+3*lg(perMinute/4))}
		if h := m.History; h != nil && h.Generations >= fewSpecs {
			n, long, f.points = h.Generations, h.To.Sub(h.From), 16+grows(float64(h.Generations)/fewSpecs, 5, 24)
		} else if m.Generation < fewSpecs || long <= 0 || perMinute < 2 {
			return
		}
		f.count, f.text = int(n), phrase.Count(n, "change")+" of its spec"+in(int(n), long)
		v.file(f)
	})
	for _, b := range v.c.Budgets {
		if b.Gone || !b.Known || b.Allowed > 0 || b.Expected == 0 {
			continue
		}
		f := fact{about: keyOf(b.Ref), kind: "budget", points: 14, at: at(b.At, b.Written),
			text: fmt.Sprintf("allows no disruption: %d healthy pods, %d needed", b.Healthy, b.Wanted)}
		if i := slices.IndexFunc(v.c.Nodes, func(n *kube.Node) bool { return n.Unschedulable && !n.Gone }); i >= 0 {
			node := v.c.Nodes[i].Name
			f.points, f.more, f.via = 28, ", and node "+node+" is cordoned", []key{{"Node", "", node}}
		}
		v.file(f)
	}
	for _, l := range v.c.Leases {
		v.leaseTerms(l)
	}
	v.selectors()
}

// leaseTerms files a Lease whose holder changes often, as its versions or its count of transitions show.
func (v *view) leaseTerms(l *kube.Lease) {
	n, long, holders := 0, v.age(&l.Meta), []string{}
	for i, t := range l.Terms {
		holders = addFew(holders, t.Holder)
		if i > 0 && t.Holder != l.Terms[i-1].Holder {
			n++
		}
	}
	if last := len(l.Terms) - 1; last > 0 { // the versions in between were not seen
		n, long = max(n, int(l.Terms[last].Transitions-l.Terms[0].Transitions)), l.Renewed.Sub(l.Since)
	}
	if n < fewTurns {
		n, long = int(l.Transitions), v.age(&l.Meta)
		if n < fewTurns || long <= 0 || float64(n) < 6*long.Hours() || l.Gone {
			return
		}
	}
	v.file(fact{about: keyOf(l.Ref), kind: "lease", points: 17 + grows(float64(n), 6, 23), count: n,
		of: rules.Contention, at: at(l.At, l.Renewed), text: phrase.Count(n, "change") + " of holder" + in(n, long),
		more: onlyIf(len(holders) > 0, ", among them "+phrase.List(holders))})
}

// A label is a label of pods in a namespace; the zero name stands for all pods.
type label struct{ namespace, name, value string }

// selectors files Services that select none of the pods of their namespace.
func (v *view) selectors() {
	pods := map[label][]*kube.Pod{}
	for _, p := range v.c.Pods {
		if p.Gone || len(p.Labels) == 0 || len(v.c.Services) == 0 { // tables of kubectl don't show labels
			continue
		}
		for _, l := range append([]kube.Pair{{}}, p.Labels...) {
			k := label{p.Namespace, l.Name, l.Value}
			pods[k] = append(pods[k], p)
		}
	}
	for _, s := range v.c.Services {
		all := len(pods[label{namespace: s.Namespace}])
		if s.Gone || len(s.Selector) == 0 || s.Type == "ExternalName" || all == 0 || selects(s, pods) {
			continue
		}
		asked := ""
		for i, p := range s.Selector[:min(len(s.Selector), 3)] {
			asked += onlyIf(i > 0, ",") + p.Name + "=" + p.Value
		}
		v.file(fact{about: keyOf(s.Ref), kind: "selector", at: at(s.At, s.Written),
			points: 26 + agePoints(v.age(&s.Meta))/2 +
				plus(v.objects[key{"Deployment", s.Namespace, s.Name}] != nil, 4),
			text: "selects " + asked + ": none of " + phrase.Count(all, "pod") + " of its namespace"})
	}
}

// selects reports whether some pod has all labels that a Service asks for: those with its rarest label are looked at.
func selects(s *kube.Service, pods map[label][]*kube.Pod) bool {
	rarest := pods[label{s.Namespace, s.Selector[0].Name, s.Selector[0].Value}]
	for _, p := range s.Selector[1:] {
		if some := pods[label{s.Namespace, p.Name, p.Value}]; len(some) < len(rarest) {
			rarest = some
		}
	}
	return slices.ContainsFunc(rarest, func(p *kube.Pod) bool {
		return !slices.ContainsFunc(s.Selector, func(want kube.Pair) bool {
			value, ok := kube.Get(p.Labels, want.Name)
			return !ok || value != want.Value
		})
	})
}

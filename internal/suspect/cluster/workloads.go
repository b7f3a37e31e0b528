package cluster

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// workloads files what the objects that run and route to pods say of themselves.
func (v *view) workloads() {
	v.c.Each(func(m *kube.Meta) {
		if !m.Gone {
			v.generations(m)
		}
	})
	for _, w := range v.c.Workloads {
		if !w.Gone && w.Owner.Kind == "" {
			v.replicas(w)
		}
	}
	for _, n := range v.c.Nodes {
		if n.Unschedulable && !n.Gone {
			v.file(fact{about: keyOf(n.Ref), kind: cordoned, points: 12, text: "is cordoned", at: at(n.At, n.Cordoned)})
		}
	}
	for _, b := range v.c.Budgets {
		v.budget(b)
	}
	for _, c := range v.c.Claims {
		v.phase(&c.Meta, c.Phase, c.Class)
	}
	for _, p := range v.c.Volumes {
		v.phase(&p.Meta, p.Phase, "")
	}
	for _, l := range v.c.Leases {
		v.handedOn(l)
	}
	v.selectors()
}

// Bounds on how often a description is changed before that is a fact. Chosen: an autoscaler changes it a few times an
// hour.
const (
	fewSpecs    = 12
	fewRollouts = 8
)

// generations files descriptions that were changed often, and those that their controller has not seen.
func (v *view) generations(m *kube.Meta) {
	if m.Kind == "Lease" || m.Kind == "Node" {
		return
	}
	root := v.root(keyOf(m.Ref))
	if behind := m.Generation - m.Observed; m.Observed > 0 && behind > 0 && m.Deleted.IsZero() {
		v.file(fact{about: root, kind: unobserved, points: 10 + grows(float64(behind+1), 4, 16), count: int(behind),
			text: fmt.Sprintf("its controller has seen generation %d of %d", m.Observed, m.Generation), at: at(m.At, m.Written)})
	}
	age := max(v.age(m), time.Second)
	perMinute := float64(m.Generation) / age.Minutes()
	if m.Generation >= fewSpecs && perMinute >= 2 {
		v.file(fact{about: root, kind: respecified, count: int(m.Generation - 1), of: rules.HotLoop, at: at(m.At, m.Written),
			points: 10 + min(30, 4*lg(float64(m.Generation)/fewSpecs)+3*lg(perMinute/4)),
			text:   phrase.Count(m.Generation-1, "change") + " of its spec" + in(int(m.Generation-1), age)})
	}
	if h := m.History; h != nil && h.Generations >= fewSpecs {
		v.file(fact{about: root, kind: respecified, count: int(h.Generations), of: rules.HotLoop, at: at(h.Last, h.To),
			points: 16 + grows(float64(h.Generations)/fewSpecs, 5, 24),
			text:   phrase.Count(h.Generations, "change") + " of its spec between two versions"})
	}
}

// replicas files workloads with fewer ready pods than they want, and those that are rolled out again and again.
func (v *view) replicas(w *kube.Workload) {
	k, age := keyOf(w.Ref), v.age(&w.Meta)
	perMinute := float64(w.Revision) / max(age, time.Second).Minutes()
	if w.Kind == "Deployment" && w.Revision >= fewRollouts && perMinute >= 1 {
		v.file(fact{about: k, kind: respecified, count: int(w.Revision), of: rules.HotLoop, at: at(w.At, w.Written),
			points: 10 + min(28, 5*lg(float64(w.Revision)/6)+3*lg(perMinute)),
			text:   phrase.Count(w.Revision, "rollout") + in(int(w.Revision), age)})
	}
	want := w.Replicas
	if want < 0 {
		want = 1
	}
	if w.Kind != "Job" && w.Kind != "CronJob" && want > w.Ready && age > time.Minute {
		v.file(fact{about: k, kind: unready, count: int(want - w.Ready), at: at(w.At, w.Written),
			points: 8 + 14*float64(want-w.Ready)/float64(want),
			text:   fmt.Sprintf("%d of %d replicas are ready", w.Ready, want)})
	}
}

// ready reports a workload that has all that it wants.
func (v *view) ready(k key) bool {
	w := v.c.Workload(k.kind, k.namespace, k.name)
	switch {
	case w == nil || w.Gone || w.Kind == "CronJob":
		return false
	case w.Kind == "Job":
		done := kube.Find(w.Conditions, "Complete")
		return done != nil && done.Status == "True"
	}
	return w.Ready >= max(w.Replicas, 0)
}

func (v *view) budget(b *kube.Budget) {
	if b.Gone || !b.Known || b.Allowed > 0 || b.Expected == 0 {
		return
	}
	f := fact{about: keyOf(b.Ref), kind: budget, points: 14, at: at(b.At, b.Written),
		text: fmt.Sprintf("allows no disruption: %d of %d healthy pods needed", b.Healthy, b.Wanted)}
	if len(v.cordons) > 0 {
		f.points += 14
		f.more = ", and node " + v.cordons[0] + " is cordoned"
		f.via = []key{{"Node", "", v.cordons[0]}}
	}
	v.file(f)
}

// phase files claims and volumes that are not bound.
func (v *view) phase(m *kube.Meta, phase, class string) {
	age := v.age(m)
	if m.Gone || !slices.Contains([]string{"Pending", "Lost", "Failed"}, phase) || age < 30*time.Second {
		return
	}
	v.file(fact{about: keyOf(m.Ref), kind: unbound, points: 18 + agePoints(age), at: at(m.At, m.Created),
		text: phase + " for " + phrase.Spell(age) + onlyIf(class != "", ", class "+class)})
}

// handedOn files Leases whose holder changes often, by their count of transitions, or as their versions show.
func (v *view) handedOn(l *kube.Lease) {
	age := v.age(&l.Meta)
	perHour := float64(l.Transitions) / max(age, time.Second).Hours()
	if n := l.Transitions; n >= 3 && perHour >= 6 && !l.Gone {
		v.file(fact{about: keyOf(l.Ref), kind: lease, points: 16 + grows(float64(n), 6, 24), count: int(n),
			of: rules.Contention, at: at(l.At, l.Renewed),
			text: phrase.Count(n, "change") + " of holder" + in(int(n), age) + ", now " + l.Holder})
	}
	changes, holders := 0, map[string]bool{}
	for i, t := range l.Terms {
		holders[t.Holder] = true
		if i > 0 && t.Holder != l.Terms[i-1].Holder {
			changes++
		}
	}
	if n := len(l.Terms); n > 0 { // the versions in between were not seen
		changes = max(changes, int(l.Terms[n-1].Transitions-l.Terms[0].Transitions))
	}
	if changes >= 3 {
		v.file(fact{about: keyOf(l.Ref), kind: lease, points: 18 + grows(float64(changes), 6, 22), count: changes,
			of: rules.Contention, at: at(l.At, l.Renewed),
			text: fmt.Sprintf("%d changes of holder among %d holders", changes, len(holders))})
	}
}

// A label is a label of pods in a namespace; without a value, all pods of it.
type label struct{ namespace, name, value string }

// selectors files Services that select none of the pods of their namespace.
func (v *view) selectors() {
	if len(v.c.Services) == 0 {
		return
	}
	pods := map[label][]*kube.Pod{}
	for _, p := range v.c.Pods {
		if p.Gone || len(p.Labels) == 0 { // tables of kubectl don't show labels
			continue
		}
		pods[label{namespace: p.Namespace}] = append(pods[label{namespace: p.Namespace}], p)
		for _, l := range p.Labels {
			pods[label{p.Namespace, l.Name, l.Value}] = append(pods[label{p.Namespace, l.Name, l.Value}], p)
		}
	}
	for _, s := range v.c.Services {
		all := pods[label{namespace: s.Namespace}]
		if s.Gone || len(s.Selector) == 0 || s.Type == "ExternalName" || len(all) == 0 || selects(s, pods) {
			continue
		}
		var pairs []string
		for _, p := range s.Selector[:min(len(s.Selector), 3)] {
			pairs = append(pairs, p.Name+"="+p.Value)
		}
		namesake := v.c.Workload("Deployment", s.Namespace, s.Name) != nil ||
			v.c.Workload("StatefulSet", s.Namespace, s.Name) != nil
		v.file(fact{about: keyOf(s.Ref), kind: selector, at: at(s.At, s.Written),
			points: 26 + agePoints(v.age(&s.Meta))/2 + plus(namesake, 4),
			text: "selects " + strings.Join(pairs, ",") + ": none of " + phrase.Count(len(all), "pod") +
				" of its namespace"})
	}
}

// selects reports whether some pod has all labels that a Service asks for: those with its rarest label are looked at.
func selects(s *kube.Service, pods map[label][]*kube.Pod) bool {
	of := func(p kube.Pair) []*kube.Pod { return pods[label{s.Namespace, p.Name, p.Value}] }
	rarest := of(s.Selector[0])
	for _, pair := range s.Selector[1:] {
		if some := of(pair); len(some) < len(rarest) {
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

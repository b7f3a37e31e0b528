package cluster

import (
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// A warningGroup is warnings about one workload with one reason and messages alike.
type warningGroup struct {
	root         key
	reason, form string
}

// A warned is what they show together.
type warned struct {
	span
	message string
	alive   bool // an object that one of them is about is there
	broken  bool // and is not well
	pod     bool
}

// A span is how often something came, from when to when, and where it was first.
type span struct {
	count       int
	first, last time.Time
	at          rules.Evidence
}

func (s *span) add(n int, first, last time.Time, place rules.Evidence) {
	if s.count == 0 || first.Before(s.first) {
		s.first = first
		s.at = place
	}
	if last.After(s.last) {
		s.last = last
	}
	s.count += n
}

// A reporting is the events that one component reports about one workload.
type reporting struct {
	source string
	root   key
}

// A reported is how many Event objects they are, and their reasons.
type reported struct {
	span
	reasons []string
}

// events files warnings, and what most events are about.
func (v *view) events() {
	warnings, reports := newGroups[warningGroup, warned](), newGroups[reporting, reported]()
	total, hardReason := 0, map[string]bool{}
	for _, e := range v.c.Events {
		about := keyOf(e.Object)
		root := v.root(about)
		total += e.Objects
		r := reports.of(reporting{e.Source, root})
		r.add(e.Objects, e.First, e.Last, at(e.At, e.First))
		if len(r.reasons) < maxRefs && !slices.Contains(r.reasons, e.Reason) {
			r.reasons = append(r.reasons, e.Reason)
		}
		bad, known := hardReason[e.Reason]
		if !known {
			bad = hard(e.Reason)
			hardReason[e.Reason] = bad
		}
		if e.Type != "Normal" && e.Type != "" || bad {
			v.warn(warnings.of(warningGroup{root, e.Reason, form(e.Message)}), e, about)
		}
	}
	warnings.each(v.warningFact)
	reports.each(func(r reporting, x *reported) { v.pileOfEvents(r, x, total) })
}

func (v *view) warn(w *warned, e *kube.Event, about key) {
	w.add(e.Count, e.First, e.Last, at(e.At, e.First))
	if len(e.Message) > len(w.message) {
		w.message = e.Message
	}
	if m := v.there(about); m != nil {
		w.alive, w.pod = true, w.pod || m.Kind == "Pod"
		ready := kube.Find(m.Conditions, "Ready")
		w.broken = w.broken || m.Kind == "Pod" && (ready == nil || ready.Status != "True") && !v.succeeded(m)
	}
}

func (v *view) succeeded(m *kube.Meta) bool {
	p := v.c.Pod(m.Namespace, m.Name)
	return p != nil && p.Phase == "Succeeded"
}

func (v *view) warningFact(g warningGroup, w *warned) {
	long, now := w.last.Sub(w.first), v.c.Time
	if taken := v.c.Taken(w.at.Input); !taken.IsZero() {
		now = taken
	}
	quiet := now.Sub(w.last)
	points := 16 + grows(float64(w.count), 3, 20) + plus(hard(g.reason+" "+w.message), 8) + plus(quiet < 5*time.Minute, 4) -
		plus(w.count == 1, 5)
	f := fact{about: g.root, kind: event, count: w.count, message: w.message, at: w.at,
		text: phrase.Count(w.count, "event") + " " + g.reason + onlyIf(w.count > 2, in(w.count, long)),
		via:  v.refs(g.root.namespace, w.message)}
	f.named = len(f.via) > 0
	switch {
	case w.pod && !w.broken, !w.pod && v.ready(g.root):
		f.against = "what the events are about is ready now"
		points *= 0.45 + plus(w.count >= 60, 0.25)
	case !w.alive && v.objects[g.root] == nil && v.kinds[g.root.kind] > 0:
		f.against = "what the events are about is gone"
		points *= 0.6
	}
	if quiet > max(time.Minute, 2*long) {
		points -= 8
		f.against = "the last event was " + phrase.Spell(quiet) + " before the objects were read"
	}
	f.points = points
	v.file(f)
}

// Bounds on the events that one component reports about one workload: how many Event objects, and how many where the
// component is one of Kubernetes itself. Chosen.
const (
	manyEvents    = 200
	manyOfSystem  = 1000
	shareOfEvents = 0.5
)

// ofSystem reports a component of Kubernetes.
func ofSystem(source string) bool {
	return strings.HasSuffix(source, "-controller") || slices.ContainsFunc([]string{
		"scheduler", "kubelet", "controller-manager", "attachdetach", "cloud-node", "endpoint",
	}, func(s string) bool { return strings.Contains(source, s) })
}

// pileOfEvents files a workload that most events are about.
func (v *view) pileOfEvents(r reporting, x *reported, total int) {
	least := manyEvents
	if ofSystem(r.source) {
		least = manyOfSystem
	}
	if x.count < least || float64(x.count) < shareOfEvents*float64(total) {
		return
	}
	f := fact{about: r.root, kind: eventPile, points: 20 + grows(float64(x.count)/100, 6, 30), count: x.count, at: x.at,
		text: phrase.Number(x.count) + " of " + phrase.Number(total) + " events are about it" +
			onlyIf(r.source != "", ", by "+r.source) + phrase.InBrackets(rate(x.count, x.last.Sub(x.first))),
		more: ", reason " + strings.Join(x.reasons, ", ")}
	if r.source != "" {
		f.via = []key{v.component(r.source, r.root.namespace)}
	}
	v.file(f)
}

// component is the Deployment that is named like a component, else the component as a client.
func (v *view) component(name, namespace string) key {
	for _, w := range v.c.Workloads {
		if w.Kind == "Deployment" && w.Name == name && !w.Gone {
			return keyOf(w.Ref)
		}
	}
	return key{client, namespace, name}
}

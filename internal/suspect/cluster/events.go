package cluster

import (
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules/phrase"
)

// events files warnings, by workload, reason and message, and what most events are about.
func (v *view) events() {
	var warnings, reports groups[tally]
	total, isHard := 0, map[string]bool{}
	for _, e := range v.c.Events {
		about := keyOf(e.Object)
		root := v.root(about)
		total += e.Objects
		r := reports.of(group{about: root, a: e.Source})
		r.add(e.Objects, e.First, e.Last, "", at(e.At, e.First))
		r.more = addFew(r.more, e.Reason)
		if _, known := isHard[e.Reason]; !known {
			isHard[e.Reason] = hard(e.Reason)
		}
		if e.Type != "Normal" && e.Type != "" || isHard[e.Reason] {
			w := warnings.of(group{about: root, a: e.Reason, b: form(e.Message)})
			w.add(e.Count, e.First, e.Last, e.Message, at(e.At, e.First))
			if m := v.there(about); m != nil && m.Kind == "Pod" && !v.isReady(m) {
				w.no++
			} else if m != nil && (m.Kind == "Pod" || v.hasAll(root)) {
				w.yes++
			}
		}
	}
	warnings.each(v.warningFact)
	reports.each(func(g group, t *tally) { v.pileOfEvents(g, t, total) })
}

// isReady reports a pod that is ready or has done its work.
func (v *view) isReady(m *kube.Meta) bool {
	c, p := kube.Find(m.Conditions, "Ready"), v.c.Pod(m.Namespace, m.Name)
	return c != nil && c.Status == "True" || p != nil && p.Phase == "Succeeded"
}

// hasAll reports a workload that has all that it wants.
func (v *view) hasAll(k key) bool {
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

func (v *view) warningFact(g group, t *tally) {
	quiet := v.asOf(t.at.Input).Sub(t.last)
	if t.last.IsZero() {
		quiet = 0
	}
	f := fact{about: g.about, kind: "event", count: t.count, message: t.message, at: t.at,
		points: 16 + grows(float64(t.count), 3, 20) + plus(hard(g.a+" "+t.message), 8) +
			plus(quiet < 5*time.Minute, 4) - plus(t.count == 1, 5),
		text: phrase.Count(t.count, "event") + " " + g.a + onlyIf(t.count > 2, in(t.count, t.long()))}
	switch {
	case t.yes > 0 && t.no == 0, t.no == 0 && v.hasAll(g.about):
		f.against = "what the events are about is ready now"
		f.points *= 0.45 + plus(t.count >= 60, 0.25)
	case t.no == 0 && v.objects[g.about] == nil && v.kinds[g.about.kind] > 0:
		f.against = "what the events are about is gone"
		f.points *= 0.6
	}
	if quiet > max(time.Minute, 2*t.long()) {
		f.against = "the last event was " + phrase.Spell(quiet) + " before the objects were read"
		f.points -= 8
	}
	v.fileNaming(f)
}

// Bounds on the events that one component reports about one workload: how many Event objects, and how many where the
// component is one of Kubernetes itself. Chosen.
const manyEvents, manyOfSystem = 200, 1000

// systemSources are parts of the names of Kubernetes' own components.
var systemSources = []string{"scheduler", "kubelet", "-controller", "attachdetach", "cloud-node", "endpoint"}

// pileOfEvents files a workload that half of the events or more are about.
func (v *view) pileOfEvents(g group, t *tally, total int) {
	least := manyEvents
	if slices.ContainsFunc(systemSources, func(s string) bool { return strings.Contains(g.a, s) }) {
		least = manyOfSystem
	}
	if t.count < least || 2*t.count < total {
		return
	}
	f := fact{about: g.about, kind: "event pile", count: t.count, at: t.at,
		points: 20 + grows(float64(t.count)/100, 6, 30),
		text: phrase.Number(t.count) + " of " + phrase.Number(total) + " events are about it" +
			onlyIf(g.a != "", ", by "+g.a) + phrase.InBrackets(rate(t.count, t.long())),
		more: ", reason " + strings.Join(t.more, ", ")}
	if g.a != "" {
		f.via = []key{{client, g.about.namespace, g.a}}
		if i := slices.IndexFunc(v.c.Workloads, func(w *kube.Workload) bool {
			return w.Kind == "Deployment" && w.Name == g.a && !w.Gone
		}); i >= 0 {
			f.via[0] = keyOf(v.c.Workloads[i].Ref)
		}
	}
	v.file(f)
}

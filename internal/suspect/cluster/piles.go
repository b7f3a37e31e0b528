package cluster

import (
	"cmp"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// A heap is the objects of one kind that belong to one owner, or that are named alike and have none: the times of those
// that are there, and of all.
type heap struct {
	there, all []time.Time
	newest     *kube.Meta
	makers     counts
}

// noPile are kinds that are many by design, or that others stand for.
var noPile = []string{
	"APIService", "ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "EndpointSlice", "Endpoints",
	"Lease", "Node", "Role", "RoleBinding", "ServiceAccount",
}

// piles files what there is more of than its owner means, or than anyone chose names for: about is the owner, a the
// kind, b the namespace, c the family of names where there is no owner.
func (v *view) piles() {
	var heaps groups[heap]
	v.c.Each(func(m *kube.Meta) {
		if slices.Contains(noPile, m.Kind) {
			return
		}
		g := group{a: m.Kind, b: m.Namespace}
		if m.Owner.Kind != "" && m.Owner.Kind != "Node" {
			g.about = v.root(keyOf(m.Owner))
		} else if g.c = family(m.Name); g.c == m.Name {
			return
		}
		heaps.of(g).add(m)
	})
	heaps.each(func(g group, h *heap) {
		slices.SortFunc(h.there, time.Time.Compare)
		slices.SortFunc(h.all, time.Time.Compare)
		v.pileFact(g, h)
		v.turnoverFact(g, h)
	})
}

func (h *heap) add(m *kube.Meta) {
	h.all = append(h.all, m.Created)
	if h.newest == nil || h.newest.Gone && !m.Gone || h.newest.Gone == m.Gone && m.Created.After(h.newest.Created) {
		h.newest = m
	}
	if m.Gone || !m.Deleted.IsZero() {
		return
	}
	h.there = append(h.there, m.Created)
	if len(m.Writers) > 0 {
		h.makers.add(m.Writers[0].Manager)
	}
}

// meansToHave is about how many objects of a kind an owner means to have; ok is false where it has one on each node.
func (v *view) meansToHave(owner key, kind string) (n float64, ok bool) {
	w := v.c.Workload(owner.kind, owner.namespace, owner.name)
	if w == nil {
		w = &kube.Workload{}
	}
	replicas := float64(max(w.Replicas, 1))
	switch {
	case owner.kind == "DaemonSet":
		return 0, false
	case owner.kind == "CronJob" && w.Kept > 0:
		return float64(w.Kept + 1), true
	case kind == "ReplicaSet":
		return float64(cmp.Or(w.Kept, 10) + 2), true
	case owner.kind == "Job":
		return 1.2*replicas + float64(cmp.Or(w.Kept, 6)), true
	case isWorkload(owner.kind) && w.Kind != "":
		return 2.3*replicas + 2, true
	case isWorkload(owner.kind):
		return 20, true
	}
	return 0, true
}

// Bounds on how many more there are than are meant, and how many have to come and go. Chosen.
const fewTooMany, fewTooManyJobs, fewMade = 20, 4, 25

func (v *view) pileFact(g group, h *heap) {
	n := len(h.there)
	means, ok := v.meansToHave(g.about, g.a)
	excess, least := float64(n)-means, float64(fewTooMany)
	if g.about.kind == "CronJob" {
		least = fewTooManyJobs
	}
	if !ok || n == 0 || excess < least {
		return
	}
	first, last, now := h.there[0], h.there[n-1], v.asOf(h.newest.Input)
	long := last.Sub(first)
	grown := !last.IsZero() && now.Sub(last) <= max(10*time.Second, long/10)
	f := fact{about: g.about, kind: "pile", count: n, of: rules.Leak, at: at(h.newest.At, last),
		points: 16 + grows(excess/10, 6, 26) + plus(grown, 6) + plus(float64(n) > 0.05*long.Seconds() && long > 0, 4) -
			plus(long < 30*time.Second, 10) - plus(over(now, first, last), 12),
		text: phrase.Count(n, g.a), against: stopped(now, first, last)}
	if g.c != "" {
		f.about = keyOf(h.newest.Ref)
		f.text += " named " + g.c + " without an owner"
		if maker, most := mostOf(h.makers); most > 0 {
			f.more, f.via = ", made by "+maker, []key{{client, g.b, maker}}
		}
	} else {
		f.text += " of its own"
		if g.a == "Pod" || g.a == "Job" || g.a == "ReplicaSet" {
			f.text += " where about " + phrase.Number(int64(means)) + " are meant"
		}
	}
	f.text += onlyIf(rate(n, long) != "", ", "+rate(n, long)) + onlyIf(grown, ", still growing")
	v.file(f)
}

// turnoverFact files objects that were made again and again, of which some were deleted meanwhile.
func (v *view) turnoverFact(g group, h *heap) {
	n, gone := len(h.all), len(h.all)-len(h.there)
	if n < fewMade || gone == 0 || isWorkload(g.about.kind) && v.objects[g.about] != nil {
		return
	}
	first, last, now := h.all[0], h.all[n-1], v.asOf(h.newest.Input)
	f := fact{about: g.about, kind: "creations", count: n, of: rules.HotLoop, at: at(h.newest.At, last),
		points: 14 + grows(float64(n)/10, 5, 24) - plus(over(now, first, last), 14), against: stopped(now, first, last),
		text: phrase.Count(n, g.a) + onlyIf(g.c != "", " named "+g.c) + " made" + in(n, last.Sub(first)) + ", " +
			phrase.Number(gone) + " of them deleted since"}
	if g.c != "" {
		f.about = keyOf(h.newest.Ref)
	}
	v.file(f)
}

// stopped is what speaks against something that ended well before the input does, "" for what goes on.
func stopped(now, first, last time.Time) string {
	return onlyIf(over(now, first, last), "it ended "+phrase.Spell(now.Sub(last))+" before the input does")
}

package cluster

import (
	"cmp"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// A heap is objects of one kind that belong to one owner, or that are named alike and have none.
type heap struct {
	kind, namespace string
	owner           key    // its root; the zero key for none
	family          string // "" with an owner
}

// A heaped is those objects: the ones that are there and all that were seen.
type heaped struct {
	made    []time.Time // of those that are there
	seen    []time.Time // of all
	done    int         // of those that are there
	newest  *kube.Meta
	makers  map[string]int
	replica string // the first owner
}

// noPile are kinds that are many by design, or that others stand for.
var noPile = []string{
	"APIService", "ClusterRole", "ClusterRoleBinding", "CustomResourceDefinition", "EndpointSlice", "Endpoints", "Lease",
	"Node", "Role", "RoleBinding", "ServiceAccount",
}

// maxMakers bounds the managers of which objects of one heap are counted.
const maxMakers = 16

// piles files what there is more of than its owner means, or than anyone chose names for.
func (v *view) piles() {
	heaps := newGroups[heap, heaped]()
	v.c.Each(func(m *kube.Meta) {
		if slices.Contains(noPile, m.Kind) {
			return
		}
		h := heap{kind: m.Kind, namespace: m.Namespace}
		if m.Owner.Kind != "" && m.Owner.Kind != "Node" {
			h.owner = v.root(keyOf(m.Owner))
		} else if h.family = family(m.Name); h.family == m.Name {
			return
		}
		heaps.of(h).add(v, m)
	})
	heaps.each(func(h heap, x *heaped) {
		slices.SortFunc(x.made, time.Time.Compare)
		slices.SortFunc(x.seen, time.Time.Compare)
		v.pileFact(h, x)
		v.turnoverFact(h, x)
	})
}

func (x *heaped) add(v *view, m *kube.Meta) {
	x.seen = append(x.seen, m.Created)
	if x.newest == nil || x.newest.Gone && !m.Gone || x.newest.Gone == m.Gone && m.Created.After(x.newest.Created) {
		x.newest = m
	}
	if m.Gone || !m.Deleted.IsZero() {
		return
	}
	x.made = append(x.made, m.Created)
	if v.ended(m) || v.finished(m) {
		x.done++
	}
	if x.makers == nil {
		x.makers = map[string]int{}
	}
	if len(m.Writers) > 0 && (len(x.makers) < maxMakers || x.makers[m.Writers[0].Manager] > 0) {
		x.makers[m.Writers[0].Manager]++
	}
}

// finished reports a Job that is done.
func (v *view) finished(m *kube.Meta) bool {
	return m.Kind == "Job" && slices.ContainsFunc(m.Conditions, func(c kube.Condition) bool {
		return (c.Type == "Complete" || c.Type == "Failed") && c.Status == "True"
	})
}

// meant is about how many objects of a heap its owner means to have; ok is false where it has as many as there are nodes.
func (v *view) meant(h heap) (n float64, ok bool) {
	w := v.c.Workload(h.owner.kind, h.owner.namespace, h.owner.name)
	if w == nil {
		w = &kube.Workload{}
	}
	replicas := float64(max(w.Replicas, 1))
	switch {
	case h.owner == key{}, h.owner.kind == "DaemonSet":
		return 0, h.owner.kind == ""
	case h.owner.kind == "CronJob" && w.Kept > 0:
		return float64(w.Kept + 1), true
	case h.kind == "ReplicaSet":
		return float64(cmp.Or(w.Kept, 10) + 2), true
	case h.owner.kind == "Job":
		return 1.2*replicas + float64(cmp.Or(w.Kept, 6)), true
	case isWorkload(h.owner.kind) && w.Kind != "":
		return 2.3*replicas + 2, true
	case isWorkload(h.owner.kind):
		return 20, true
	}
	return 0, true
}

// Bounds on how many more there are than are meant. Chosen.
const (
	fewTooMany     = 20
	fewTooManyJobs = 4
)

func (v *view) pileFact(h heap, x *heaped) {
	n := len(x.made)
	means, ok := v.meant(h)
	excess, least := float64(n)-means, float64(fewTooMany)
	if h.owner.kind == "CronJob" {
		least = fewTooManyJobs
	}
	if !ok || n == 0 || excess < least {
		return
	}
	first, last, now := x.made[0], x.made[n-1], v.now(x.newest)
	long := last.Sub(first)
	grown := now.Sub(last) <= max(10*time.Second, long/10)
	f := fact{about: h.owner, kind: pile, count: n, of: rules.Leak, at: at(x.newest.At, last),
		points: 16 + grows(excess/10, 6, 26) + plus(grown, 6) + plus(float64(n) > 0.05*long.Seconds() && long > 0, 4) -
			plus(long < 30*time.Second, 10),
		text: phrase.Count(n, h.kind)}
	if over(now, first, last) {
		f.points -= 12
		f.against = "the last one was made " + phrase.Spell(now.Sub(last)) + " before the objects were read"
	}
	if h.family != "" {
		f.about = keyOf(x.newest.Ref)
		f.text += " named " + h.family + " without an owner"
		if maker, most := mostOf(x.makers); most > 0 {
			f.more = ", made by " + maker
			f.via = []key{{client, h.namespace, maker}}
		}
	} else {
		f.text += " of its own"
		if h.kind == "Pod" || h.kind == "Job" || h.kind == "ReplicaSet" {
			f.text += " where about " + phrase.Number(int64(means)) + " are meant"
		}
	}
	f.text += onlyIf(rate(n, long) != "", ", "+rate(n, long)) + onlyIf(grown, ", still growing")
	f.more = onlyIf(x.done > 0, ", "+phrase.Number(x.done)+" of them finished") + f.more
	v.file(f)
}

// fewMade is how many objects have to come and go before that is a fact. Chosen.
const fewMade = 25

// turnoverFact files objects that were made again and again, of which some were deleted meanwhile.
func (v *view) turnoverFact(h heap, x *heaped) {
	n, gone := len(x.seen), len(x.seen)-len(x.made)
	if n < fewMade || gone == 0 || isWorkload(h.owner.kind) && v.objects[h.owner] != nil {
		return
	}
	first, last, now := x.seen[0], x.seen[n-1], v.now(x.newest)
	f := fact{about: h.owner, kind: creations, count: n, of: rules.HotLoop, at: at(x.newest.At, last),
		points: 14 + grows(float64(n)/10, 5, 24),
		text: phrase.Count(n, h.kind) + onlyIf(h.family != "", " named "+h.family) + " made" + in(n, last.Sub(first)) +
			", " + phrase.Number(gone) + " of them deleted since"}
	if h.family != "" {
		f.about = keyOf(x.newest.Ref)
	}
	if over(now, first, last) {
		f.points -= 14
		f.against = "the last one was made " + phrase.Spell(now.Sub(last)) + " before the objects were read"
	}
	v.file(f)
}

// over reports whether something ended well before it was looked at.
func over(now, first, last time.Time) bool {
	return now.Sub(last) > max(20*time.Second, last.Sub(first)/2)
}

// mostOf is the most frequent of a few names, the first of several.
func mostOf[K cmp.Ordered](n map[K]int) (most K, count int) {
	for k, c := range n {
		if c > count || c == count && k < most {
			most, count = k, c
		}
	}
	return most, count
}

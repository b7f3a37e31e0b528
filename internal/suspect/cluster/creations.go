package cluster

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds on how many objects one client creates, and the control plane for one owner. Chosen.
const fewCreated, fewForOwners = 25, 40

// A making is the creations of one resource in one namespace by one client.
type making struct {
	burst
	names  counts // their families
	newest int32  // the object created last
}

// creations files clients that create much, and what the control plane creates much for.
func (v *view) creations() {
	var all groups[making]
	total, deleted := 0, map[group]int{} // by resource and namespace
	for i := range v.t.Writes {
		w := &v.t.Writes[i]
		o := &v.t.Objects[w.Object]
		g := group{a: o.Resource, b: o.Namespace}
		switch {
		case !w.OK() || w.Sub != 0:
		case w.Verb == audit.VerbDelete:
			deleted[g]++
		case w.Verb == audit.VerbDeleteCollection:
			deleted[g] += len(v.t.Writes)
		case w.Verb == audit.VerbCreate:
			total++
			if g.about = v.clients[w.Actor]; !isSystem(g.about) {
				x := all.of(g)
				x.add(v.t, w)
				x.newest = w.Object
				x.names.add(cmp.Or(family(o.Name), v.t.Texts[w.Note]+"*"))
			}
		}
	}
	all.each(func(g group, x *making) {
		if len(x.times) >= fewCreated {
			v.createdFact(g, x, total, deleted[group{a: g.a, b: g.b}])
		}
	})
	for i := range v.t.Creations {
		if c := &v.t.Creations[i]; c.Count >= fewForOwners && isSystem(v.clients[c.Actor]) {
			v.createdFor(c)
		}
	}
}

func (v *view) createdFact(g group, x *making, total, deleted int) {
	n, long := len(x.times), x.long()
	kept := max(0, n-deleted)
	f := fact{about: g.about, kind: "creations", count: n, of: rules.HotLoop, at: x.place,
		points: 16 + grows(float64(n)/10, 5, 26) + plus(10*kept > 7*n && long >= 45*time.Second, 8) +
			plus(long > time.Minute, 6) - plus(long < 30*time.Second, 8),
		text: fmt.Sprintf("creates %s %s%s, %d%% of all creates", phrase.Number(n), g.a, in(n, long), 100*n/total),
		more: onlyIf(deleted >= n, ", as many were deleted"), against: v.stopped(x.place, x.first(), x.last())}
	f.points -= plus(f.against != "", 14)
	if 10*kept > 7*n {
		f.more, f.of = ", "+phrase.Number(kept)+" were not deleted", rules.Leak
	}
	if name, _ := mostOf(x.names); name != "*" {
		f.more = ", named " + name + f.more
		o := v.written(&v.t.Objects[x.newest])
		f.via = []key{{o.kind, o.namespace, cmp.Or(o.name, strings.TrimSuffix(name, "*"))}}
	}
	v.file(f)
}

// createdFor files an owner for which the control plane creates much.
func (v *view) createdFor(c *audit.Creation) {
	long := micros(c.Last - c.First)
	f := fact{about: v.ownerOf(c), kind: "creations", count: c.Count,
		at: placed(v.t.Place(&v.t.Writes[c.FirstWrite]), c.First),
		points: 10 + grows(float64(c.Count)/20, 5, 24) + plus(c.Failed >= stormPods, 8) +
			plus(c.Even || long > time.Minute && (2*c.Peak <= c.Count || long < 2*time.Minute), 10),
		text: phrase.Count(c.Count, strings.TrimSuffix(c.Resource, "s")) + " made for it" + in(c.Count, long),
		more: onlyIf(c.Failed > 0, ", "+phrase.Number(c.Failed)+" of them failed"+phrase.InBrackets(c.Reason))}
	if c.Resource == "pods" && c.Count >= 2*c.Standing {
		f.of = rules.PodStorm
	}
	f.against = v.stopped(f.at, c.First, c.Last)
	f.points -= plus(f.against != "", 6)
	v.file(f)
}

// ownerOf is what objects are created for: their owner's owner, their owner, what their names begin with, else the
// namespace.
func (v *view) ownerOf(c *audit.Creation) key {
	for _, o := range []audit.Owner{c.Top, c.Owner} {
		if o.Kind != "" {
			k := v.root(key{o.Kind, c.Namespace, o.Name})
			v.apis[k] = cmp.Or(v.apis[k], o.API)
			return k
		}
	}
	if stem := cmp.Or(c.Prefix, c.Stem); stem != "" {
		return v.root(key{v.kindOf(c.Resource), c.Namespace, stem})
	}
	return key{"Namespace", "", c.Namespace}
}

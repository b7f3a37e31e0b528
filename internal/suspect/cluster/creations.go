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
	names  map[string]int // their families
	newest int32          // the object created last
}

// creations files clients that create much, and what the control plane creates much for.
func (v *view) creations() {
	all, order, total := map[group]*making{}, []group{}, 0
	deleted := map[group]int{} // by resource and namespace
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
			if g.about = v.clients[w.Actor]; isSystem(g.about) {
				continue
			}
			if all[g] == nil {
				all[g] = &making{names: map[string]int{}}
				order = append(order, g)
			}
			all[g].create(v.t, w)
		}
	}
	for _, g := range order {
		if len(all[g].times) >= fewCreated {
			v.createdFact(g, all[g], total, deleted[group{a: g.a, b: g.b}])
		}
	}
	for i := range v.t.Creations {
		if c := &v.t.Creations[i]; c.Count >= fewForOwners && isSystem(v.clients[c.Actor]) {
			v.createdFor(c)
		}
	}
}

func (x *making) create(t *audit.Trail, w *audit.Write) {
	x.add(t, w)
	x.newest = w.Object
	name := cmp.Or(family(t.Objects[w.Object].Name), t.Texts[w.Note]+"*")
	const most = 16 // families that are counted
	if len(x.names) < most || x.names[name] > 0 {
		x.names[name]++
	}
}

func (v *view) createdFact(g group, x *making, total, deleted int) {
	n, long := len(x.times), x.long()
	kept := max(0, n-deleted)
	f := fact{about: g.about, kind: creations, count: n, of: rules.HotLoop, at: x.place,
		points: 16 + grows(float64(n)/10, 5, 26) + plus(10*kept > 7*n && long >= 45*time.Second, 8) +
			plus(x.sustained() >= 0.8 && long > time.Minute, 6) - plus(long < 30*time.Second, 8),
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
	f := fact{about: v.ownerOf(c), kind: creations, count: c.Count,
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

// retries files Jobs whose pods are made again and again for one index.
func (v *view) retries() {
	for i := range v.t.Retries {
		r := &v.t.Retries[i]
		v.file(fact{about: v.root(key{"Job", r.Namespace, r.Job}), kind: failedPods, of: rules.PodStorm, count: r.Again,
			points: 16 + grows(float64(r.Again), 4, 24), at: placed(v.t.Place(&v.t.Writes[r.FirstWrite]), r.First),
			text: fmt.Sprintf("%s made again for %s%s", phrase.Count(r.Again, "pod"), phrase.Count(r.Indexes, "index"),
				in(r.Again, micros(r.Last-r.First)))})
	}
}

package cluster

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds on how many objects one client creates, and the control plane for one owner. Chosen.
const (
	fewCreated   = 25
	fewForOwners = 40
)

// A making is the creations of one resource in one namespace by one client.
type making struct {
	who                 key
	resource, namespace string
}

// A set is those creations.
type created struct {
	burst
	families map[string]int
	newest   int32 // the object created last
	system   bool
}

// creations files clients that create much, and what the control plane creates much for.
func (v *view) creations() {
	type place struct{ resource, namespace string }
	makings, deleted, total := newGroups[making, created](), map[place]int{}, 0
	for i := range v.t.Writes {
		w := &v.t.Writes[i]
		o := &v.t.Objects[w.Object]
		switch {
		case !w.OK() || w.Sub != 0:
		case w.Verb == audit.VerbDelete:
			deleted[place{o.Resource, o.Namespace}]++
		case w.Verb == audit.VerbDeleteCollection:
			deleted[place{o.Resource, o.Namespace}] += len(v.t.Writes)
		case w.Verb == audit.VerbCreate:
			total++
			makings.of(making{v.clients[w.Actor], o.Resource, o.Namespace}).add(v, w)
		}
	}
	makings.each(func(m making, x *created) {
		if n := len(x.times); n >= fewCreated && !x.system {
			v.createdFact(m, x, n, total, deleted[place{m.resource, m.namespace}])
		}
	})
	v.createdEvents(total)
	for i := range v.t.Creations {
		if c := &v.t.Creations[i]; c.Count >= fewForOwners && v.system[c.Actor] {
			v.createdFor(c)
		}
	}
}

func (x *created) add(v *view, w *audit.Write) {
	x.burst.add(v.t, w)
	x.newest, x.system = w.Object, v.system[w.Actor]
	name := family(v.t.Objects[w.Object].Name)
	if name == "" {
		name = v.t.Texts[w.Note] + "*"
	}
	if x.families == nil {
		x.families = map[string]int{}
	}
	if len(x.families) < maxMakers || x.families[name] > 0 {
		x.families[name]++
	}
}

func (v *view) createdFact(m making, x *created, n, total, deleted int) {
	long, kept := x.long(), max(0, n-deleted)
	some, _ := mostOf(x.families)
	f := fact{about: m.who, kind: creations, count: n, of: rules.HotLoop, at: x.place,
		points: 16 + grows(float64(n)/10, 5, 26) + plus(10*kept > 7*n && long >= 45*time.Second, 8) +
			plus(x.sustained() >= 0.8 && long > time.Minute, 6) - plus(long < 30*time.Second, 8),
		text: fmt.Sprintf("creates %s %s%s, %d%% of all creates", phrase.Number(n), m.resource, in(n, long), 100*n/total)}
	if some != "*" {
		f.more = ", named " + some
		o := v.written(&v.t.Objects[x.newest])
		f.via = []key{{o.kind, o.namespace, cmp.Or(o.name, strings.TrimSuffix(some, "*"))}}
	}
	if 10*kept > 7*n {
		f.more += ", " + phrase.Number(kept) + " were not deleted"
		f.of = rules.Leak
	} else if deleted > 0 {
		f.more += ", about as many were deleted"
	}
	if f.against = v.stopped(x.place, x.first(), x.last()); f.against != "" {
		f.points -= 14
	}
	v.file(f)
}

// createdEvents files clients that report events: those are only counted.
func (v *view) createdEvents(total int) {
	for i := range v.t.Reads {
		r := &v.t.Reads[i]
		if r.Verb != audit.VerbCreate || r.Resource != "events" || r.Count < fewCreated || v.system[r.Actor] {
			continue
		}
		n, long := int(r.Count), micros(r.Last-r.First)
		f := fact{about: v.clients[r.Actor], kind: creations, count: n, at: placed(r.Place, r.First),
			points: 16 + grows(float64(n)/10, 5, 26) + plus(long >= 45*time.Second, 8) - plus(long < 30*time.Second, 8),
			text:   "reports " + phrase.Number(n) + " events" + in(n, long)}
		if f.against = v.stopped(f.at, r.First, r.Last); f.against != "" {
			f.points -= 14
		}
		v.file(f)
	}
}

// createdFor files an owner for which the control plane creates much.
func (v *view) createdFor(c *audit.Creation) {
	k := v.ownerOf(c)
	long := micros(c.Last - c.First)
	f := fact{about: k, kind: creations, count: c.Count, at: placed(v.t.Place(&v.t.Writes[c.FirstWrite]), c.First),
		points: 10 + grows(float64(c.Count)/20, 5, 24) + plus(c.Even || long > time.Minute && steady(c), 10) +
			plus(c.Failed >= stormPods, 8),
		text: phrase.Count(c.Count, strings.TrimSuffix(c.Resource, "s")) + " made for it" + in(c.Count, long)}
	if c.Failed > 0 {
		f.more = ", " + phrase.Number(c.Failed) + " of them failed" + phrase.InBrackets(c.Reason)
	}
	if c.Resource == "pods" && c.Count >= 2*c.Standing {
		f.of = rules.PodStorm
	}
	if f.against = v.stopped(f.at, c.First, c.Last); f.against != "" {
		f.points -= 6
	}
	v.file(f)
}

// steady reports creations that do not come at once: at most half of them within a minute.
func steady(c *audit.Creation) bool {
	return 2*c.Peak <= c.Count || c.Last-c.First < 2*time.Minute.Microseconds()
}

// ownerOf is what objects are created for: their owner's owner, their owner, else what their names begin with.
func (v *view) ownerOf(c *audit.Creation) key {
	for _, o := range []audit.Owner{c.Top, c.Owner} {
		if o.Kind != "" {
			k := v.root(key{o.Kind, c.Namespace, o.Name})
			if v.apis[k] == "" {
				v.apis[k] = o.API
			}
			return k
		}
	}
	if stem := cmp.Or(c.Prefix, c.Stem); stem != "" {
		return v.root(key{v.kindOf(c.Resource), c.Namespace, stem})
	}
	return v.busiest(c)
}

// busiest is the workload whose status the creator writes most meanwhile, where names and owners are not logged; else the
// namespace.
func (v *view) busiest(c *audit.Creation) key {
	n := map[int32]int{}
	all := 0
	for i := c.FirstWrite; i <= c.LastOne; i++ {
		w := &v.t.Writes[i]
		o := &v.t.Objects[w.Object]
		if w.Actor == c.Actor && o.Namespace == c.Namespace && o.Name != "" && slices.Contains(workloads, v.kindOf(o.Resource)) &&
			(w.Verb == audit.VerbUpdate || w.Verb == audit.VerbPatch) {
			n[w.Object]++
			all++
		}
	}
	if o, most := mostOf(n); 2*most >= all && most > 0 {
		return v.root(v.written(&v.t.Objects[o]))
	}
	return key{"Namespace", "", c.Namespace}
}

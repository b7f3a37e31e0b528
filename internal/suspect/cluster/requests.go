package cluster

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Bounds on what one client asks for. Chosen: informers list each resource once, and a watch lasts for minutes.
const (
	fewLists, slowLists         = 20, 0.1 // and a second
	fewGets, slowGets, busyGets = 60, 0.5, 5.0
	fewShort                    = 12
	fewFailed, fewLost          = 8, 30 // lost are conflicts over leases
	// fewTurns is how often a Lease changes hands, fewPauses how often it isn't renewed: an upgrade changes it once for
	// each replica.
	fewTurns, fewPauses, manyHolders = 3, 3, 12
)

// reads files clients that read much or report much, and those whose watches end at once.
func (v *view) reads() {
	all, order := map[group]*audit.Read{}, []group{}
	for i := range v.t.Reads {
		r := &v.t.Reads[i]
		who := v.clients[r.Actor]
		if isSystem(who) || r.Resource == "" || r.Resource == "leases" || strings.HasSuffix(r.Resource, "reviews") {
			continue
		}
		g := group{about: who, a: r.Verb.String(), b: r.Resource}
		x := all[g]
		if x == nil {
			one := *r
			all[g] = &one
			order = append(order, g)
			continue
		}
		x.First, x.Last = min(x.First, r.First), max(x.Last, r.Last)
		x.Count, x.Full, x.Short = x.Count+r.Count, x.Full+r.Full, x.Short+r.Short
	}
	for _, g := range order {
		v.readsFact(g, all[g])
	}
}

func (v *view) readsFact(g group, r *audit.Read) {
	n, long := int(r.Count), micros(r.Last-r.First)
	perSecond, often := float64(n)/max(long.Seconds(), 1), phrase.Number(n)+" times"+in(n, long)
	f := fact{about: g.about, kind: reads, count: n, of: rules.HotLoop, at: placed(r.Place, r.First)}
	switch {
	case r.Verb == audit.VerbWatch && r.Short >= fewShort:
		f.kind, f.points = watches, 14+grows(float64(r.Short)/6, 5, 24)
		f.text = "opens a watch of " + g.b + " " + often + ", and each ends within seconds"
	case r.Verb == audit.VerbList && n >= fewLists && perSecond >= slowLists:
		f.points = 20 + grows(float64(n)/20, 5, 26) + plus(2*r.Full > r.Count, 8)
		f.text = "lists " + g.b + " " + often
		f.more = onlyIf(r.Full > 0, ", "+phrase.Number(r.Full)+" of them whole, past the server's cache")
	case r.Verb == audit.VerbGet && n >= fewGets && perSecond >= slowGets:
		f.points = 10 + plus(perSecond >= busyGets, 8) + grows(float64(n)/20, 5, 26)
		f.text = "gets " + g.b + " " + often
	case r.Verb == audit.VerbCreate && g.b == "events" && n >= fewCreated:
		f.kind, f.of, f.text = creations, "", "reports "+phrase.Number(n)+" events"+in(n, long)
		f.points = 16 + grows(float64(n)/10, 5, 26)
	default:
		return
	}
	f.against = v.stopped(f.at, r.First, r.Last)
	v.file(f)
}

// A failed is requests of one client of one kind that fail with one code.
type failed struct {
	count, of, first, last int64
	place                  audit.Place
	message                string
	object, owner          key // that most are about, and for whom they are; the zero key for none
	by                     []key
}

// failures files requests that fail again and again. Those that something refused by name (audit.Refusal) are counted by
// namespace, all others by client.
func (v *view) failures() {
	all, order := map[group]*failed{}, []group{}
	refused := map[audit.Ask]int64{}
	of := func(ask audit.Ask, namespace string, code int) *failed {
		g := group{v.clients[ask.Actor], ask.Verb.String(), ask.Resource, namespace, fmt.Sprint(code)}
		if all[g] == nil {
			all[g] = &failed{}
			order = append(order, g)
		}
		return all[g]
	}
	for i := range v.t.Refusals {
		r := &v.t.Refusals[i]
		refused[r.Ask] += r.Count
		x := of(r.Ask, r.Namespace, r.Code)
		x.add(r.Count, r.First, r.Last, r.Place, r.Message)
		x.of = x.count
		v.refusedBy(x, r)
	}
	for i := range v.t.Answers {
		a := &v.t.Answers[i]
		if a.Resource == "" || a.Code == 404 && a.Verb == audit.VerbGet || strings.HasSuffix(a.Resource, "reviews") ||
			2*refused[a.Ask] > a.Count {
			continue
		}
		x := of(a.Ask, "", a.Code)
		x.add(a.Count, a.First, a.Last, a.Place, a.Message)
		x.of += a.Of
		if a.Object >= 0 && 10*a.ObjectCount >= 6*a.Count {
			x.object = v.written(&v.t.Objects[a.Object])
		}
		for _, k := range v.refs(x.object.namespace, a.Message) {
			x.by = addFew(x.by, k)
		}
	}
	for _, g := range order {
		v.failuresFact(g, all[g])
	}
}

func (x *failed) add(n, first, last int64, place audit.Place, message string) {
	if x.count == 0 {
		x.first, x.place = first, place
	}
	x.count += n
	x.first, x.last = min(x.first, first), max(x.last, last)
	if len(message) > len(x.message) {
		x.message = message
	}
}

// refusedBy notes what refused a write, and for whom it was.
func (v *view) refusedBy(x *failed, r *audit.Refusal) {
	if r.Object >= 0 {
		x.object = v.written(&v.t.Objects[r.Object])
	}
	if o := &v.t.Owners[r.Owner]; o.Kind != "" {
		x.owner = v.root(key{o.Kind, r.Namespace, o.Name})
		v.apis[x.owner] = cmp.Or(v.apis[x.owner], o.API)
	} else if x.owner.name == "" && r.Stem != "" {
		x.owner = key{v.kindOf(r.Resource), r.Namespace, r.Stem}
		if set := (key{"ReplicaSet", r.Namespace, r.Stem}); r.Resource == "pods" && v.root(set) != set {
			x.owner = v.root(set)
		}
	}
	by := key{"", r.Namespace, r.By}
	switch r.Kind {
	case audit.RefusedByWebhook, audit.DeniedByWebhook:
		v.configurations(r.By, func(k key) { x.by = addFew(x.by, k) })
		if namespace, name, inCluster := strings.Cut(r.Service, "/"); inCluster {
			by = key{"Service", namespace, name}
		}
	case audit.OverQuota:
		by.kind = "ResourceQuota"
	case audit.NoServiceAccount:
		by.kind, by.name = "ServiceAccount", r.By[strings.IndexByte(r.By, '/')+1:]
	case audit.OverBudget:
		if by.kind = "PodDisruptionBudget"; r.By == "" {
			by = v.root(x.object)
		}
	}
	if by.kind != "" && by.name != "" {
		x.by = addFew(x.by, by)
	}
}

func (v *view) failuresFact(g group, x *failed) {
	n, code := int(x.count), g.d
	if n < fewFailed || g.b == "leases" && code == "409" && n < fewLost {
		return
	}
	f := fact{about: g.about, kind: failures, count: n, at: placed(x.place, x.first), message: x.message, via: x.by,
		points: 14 + grows(float64(n)/6, 5, 22) + 10*min(1, float64(n)/float64(max(x.of, 1))) +
			plus(code == "403" || code == "429" || code >= "500", 4) - plus(code == "409" || code == "404", 8) +
			plus(code == "409" && g.a == "create", 4) - plus(code == "409" && isSystem(g.about), 10),
		text: fmt.Sprintf("%s of %s %s requests for %s fail with %s%s", phrase.Number(n),
			phrase.Number(max(x.of, x.count)), g.a, g.b, code, in(n, micros(x.last-x.first)))}
	f.against = v.stopped(f.at, x.first, x.last)
	f.points -= plus(f.against != "", 10)
	f.named = len(x.by) > 0
	switch {
	case !isSystem(g.about):
		if !f.named && x.object.name != "" {
			f.via = []key{x.object}
		}
	case f.named && (v.mayBeThere(x.by[0]) || x.owner.name == ""):
		f.about = x.by[0]
		if x.owner.name != "" {
			f.via = append([]key{x.by[0], x.owner}, x.by[1:]...)
		}
	case x.owner.name != "":
		f.about = x.owner
	case x.object.name != "":
		f.about = v.root(x.object)
	default:
		return // nobody is named for whom it is
	}
	f.more = onlyIf(f.about != g.about, ", from "+g.about.name)
	v.file(f)
}

// leases files Leases that clients take from each other, and those that are not renewed for as long as they last.
func (v *view) leases() {
	for i := range v.t.Leases {
		l := &v.t.Leases[i]
		o := &v.t.Objects[l.Object]
		f := fact{about: key{"Lease", o.Namespace, o.Name}, of: rules.Contention, at: placed(l.At, l.AtTime)}
		if l.Pauses >= fewPauses {
			p := f
			p.kind, p.count, p.points = late, l.Pauses, 14+grows(float64(l.Pauses), 5, 20)
			p.text = phrase.Count(l.Pauses, "pause") + " in its renewals, of up to " + phrase.Spell(l.Longest)
			v.file(p)
		}
		n := l.Switches - l.Given - l.Handed
		if n < fewTurns || len(l.Holders) > manyHolders {
			continue
		}
		f.kind, f.count, f.points = lease, n, 20+grows(float64(n), 6, 24)
		f.text = fmt.Sprintf("%d changes of holder among %d holders%s", n, len(l.Holders), in(n, micros(l.Last-l.First)))
		for _, h := range l.Holders {
			if k := v.clients[h.Actor]; !isSystem(k) {
				f.via = addFew(f.via, k)
			}
		}
		v.file(f)
	}
}

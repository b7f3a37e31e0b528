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
	var all groups[audit.Read]
	for i := range v.t.Reads {
		r := &v.t.Reads[i]
		who := v.clients[r.Actor]
		if isSystem(who) || r.Resource == "" || r.Resource == "leases" || strings.HasSuffix(r.Resource, "reviews") {
			continue
		}
		x := all.of(group{about: who, a: r.Verb.String(), b: r.Resource})
		if x.Count == 0 {
			*x = *r
			continue
		}
		x.First, x.Last = min(x.First, r.First), max(x.Last, r.Last)
		x.Count, x.Full, x.Short = x.Count+r.Count, x.Full+r.Full, x.Short+r.Short
	}
	all.each(v.readsFact)
}

func (v *view) readsFact(g group, r *audit.Read) {
	n, long := int(r.Count), micros(r.Last-r.First)
	perSecond, often := float64(n)/max(long.Seconds(), 1), phrase.Number(n)+" times"+in(n, long)
	f := fact{about: g.about, kind: "reads", count: n, of: rules.HotLoop, at: placed(r.Place, r.First)}
	switch {
	case r.Verb == audit.VerbWatch && r.Short >= fewShort:
		f.kind, f.points = "watches", 14+grows(float64(r.Short)/6, 5, 24)
		f.text = "opens a watch of " + g.b + " " + often + ", and each ends within seconds"
	case r.Verb == audit.VerbList && n >= fewLists && perSecond >= slowLists:
		f.points = 20 + grows(float64(n)/20, 5, 26) + plus(2*r.Full > r.Count, 8)
		f.text = "lists " + g.b + " " + often
		f.more = onlyIf(r.Full > 0, ", "+phrase.Number(r.Full)+" of them whole, past the server's cache")
	case r.Verb == audit.VerbGet && n >= fewGets && perSecond >= slowGets:
		f.points = 10 + plus(perSecond >= busyGets, 8) + grows(float64(n)/20, 5, 26)
		f.text = "gets " + g.b + " " + often
	case r.Verb == audit.VerbCreate && g.b == "events" && n >= fewCreated:
		f.kind, f.of, f.text = "creations", "", "reports "+phrase.Number(n)+" events"+in(n, long)
		f.points = 16 + grows(float64(n)/10, 5, 26)
	default:
		return
	}
	f.against = v.stopped(f.at, r.First, r.Last)
	v.file(f)
}

// A failed is requests of one client of one kind that fail with one code.
type failed struct {
	tally         // its keys are what refuses them
	of            int64
	object, owner key // that most are about, and for whom they are; the zero key for none
}

// failures files requests that fail again and again. Those that something refused by name (audit.Refusal) are counted
// by namespace, all others by client.
func (v *view) failures() {
	var all groups[failed]
	refused := map[audit.Ask]int64{}
	of := func(ask audit.Ask, namespace string, code int) *failed {
		return all.of(group{v.clients[ask.Actor], ask.Verb.String(), ask.Resource, namespace, fmt.Sprint(code)})
	}
	for i := range v.t.Refusals {
		r := &v.t.Refusals[i]
		refused[r.Ask] += r.Count
		x := of(r.Ask, r.Namespace, r.Code)
		x.add(int(r.Count), audit.Time(r.First), audit.Time(r.Last), r.Message, placed(r.Place, r.First))
		x.of = int64(x.count)
		v.refusedBy(x, r)
	}
	for i := range v.t.Answers {
		a := &v.t.Answers[i]
		if a.Resource == "" || a.Code == 404 && a.Verb == audit.VerbGet || strings.HasSuffix(a.Resource, "reviews") ||
			2*refused[a.Ask] > a.Count {
			continue
		}
		x := of(a.Ask, "", a.Code)
		x.add(int(a.Count), audit.Time(a.First), audit.Time(a.Last), a.Message, placed(a.Place, a.First))
		x.of += a.Of
		if a.Object >= 0 && 10*a.ObjectCount >= 6*a.Count {
			x.object = v.written(&v.t.Objects[a.Object])
		}
		for _, k := range v.refs(x.object.namespace, a.Message) {
			x.keys = addFew(x.keys, k)
		}
	}
	all.each(v.failuresFact)
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
		for _, k := range v.hooks[r.By] {
			x.keys = addFew(x.keys, k)
		}
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
		x.keys = addFew(x.keys, by)
	}
}

func (v *view) failuresFact(g group, x *failed) {
	n, code := x.count, g.d
	if n < fewFailed || g.b == "leases" && code == "409" && n < fewLost {
		return
	}
	f := fact{about: g.about, kind: "failures", count: n, at: x.at, message: x.message, via: x.keys,
		points: 14 + grows(float64(n)/6, 5, 22) + 10*min(1, float64(n)/float64(max(x.of, 1))) +
			plus(code == "403" || code == "429" || code >= "500", 4) - plus(code == "409" || code == "404", 8) +
			plus(code == "409" && g.a == "create", 4) - plus(code == "409" && isSystem(g.about), 10),
		text: fmt.Sprintf("%s of %s %s requests for %s fail with %s%s", phrase.Number(n),
			phrase.Number(max(x.of, int64(n))), g.a, g.b, code, in(n, x.long()))}
	f.against = v.stopped(f.at, x.first.UnixMicro(), x.last.UnixMicro())
	f.points -= plus(f.against != "", 10)
	f.named = len(x.keys) > 0
	switch {
	case !isSystem(g.about):
		if !f.named && x.object.name != "" {
			f.via = []key{x.object}
		}
	case f.named && (v.mayBeThere(x.keys[0]) || x.owner.name == ""):
		f.about = x.keys[0]
		if x.owner.name != "" {
			f.via = append([]key{x.keys[0], x.owner}, x.keys[1:]...)
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
			p.kind, p.count, p.points = "late", l.Pauses, 14+grows(float64(l.Pauses), 5, 20)
			p.text = phrase.Count(l.Pauses, "pause") + " in its renewals, of up to " + phrase.Spell(l.Longest)
			v.file(p)
		}
		n := l.Switches - l.Given - l.Handed
		if n < fewTurns || len(l.Holders) > manyHolders {
			continue
		}
		f.kind, f.count, f.points = "lease", n, 20+grows(float64(n), 6, 24)
		f.text = fmt.Sprintf("%d changes of holder among %d holders%s", n, len(l.Holders),
			in(n, micros(l.Last-l.First)))
		for _, h := range l.Holders {
			if k := v.clients[h.Actor]; !isSystem(k) {
				f.via = addFew(f.via, k)
			}
		}
		v.file(f)
	}
}

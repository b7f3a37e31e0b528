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
	fewLists       = 20
	fewGets        = 60
	slowLists      = 0.1 // a second
	slowGets       = 0.5
	busyGets       = 5.0
	fewShort       = 12
	fewFailed      = 8
	fewUnavailable = 30 // conflicts over leases
)

// An asked is what one client asks for with one verb, whatever its agents.
type asked struct {
	who      key
	verb     audit.Verb
	resource string
}

// requests files clients that read much, whose watches end at once, and whose requests fail.
func (v *view) requests() {
	all := newGroups[asked, audit.Read]()
	for i := range v.t.Reads {
		r := &v.t.Reads[i]
		if v.system[r.Actor] || r.Resource == "" || r.Resource == "leases" || strings.HasSuffix(r.Resource, "reviews") {
			continue
		}
		x := all.of(asked{v.clients[r.Actor], r.Verb, r.Resource})
		if x.Count == 0 {
			x.First, x.Place = r.First, r.Place
		}
		x.First, x.Last = min(x.First, r.First), max(x.Last, r.Last)
		x.Count, x.Full, x.Short = x.Count+r.Count, x.Full+r.Full, x.Short+r.Short
	}
	all.each(v.readsFact)
	v.failures()
}

func (v *view) readsFact(a asked, r *audit.Read) {
	n, long := int(r.Count), micros(r.Last-r.First)
	perSecond := float64(n) / max(long.Seconds(), 1)
	f := fact{about: a.who, kind: reads, count: n, of: rules.HotLoop, at: placed(r.Place, r.First)}
	switch {
	case a.verb == audit.VerbWatch && r.Short >= fewShort:
		f.kind, f.points = watches, 14+grows(float64(r.Short)/6, 5, 24)
		f.text = fmt.Sprintf("opens a watch of %s %d times%s, and each ends within seconds", a.resource, r.Short, in(n, long))
	case a.verb == audit.VerbList && n >= fewLists && perSecond >= slowLists:
		f.points = 20 + grows(float64(n)/20, 5, 26) + plus(2*r.Full > r.Count, 8)
		f.text = fmt.Sprintf("lists %s %s times%s", a.resource, phrase.Number(n), in(n, long))
		f.more = onlyIf(r.Full > 0, ", "+phrase.Number(r.Full)+" of them whole, past the server's cache")
	case a.verb == audit.VerbGet && n >= fewGets && perSecond >= slowGets:
		f.points = 10 + plus(perSecond >= busyGets, 8) + grows(float64(n)/20, 5, 26)
		f.text = fmt.Sprintf("gets %s %s times%s", a.resource, phrase.Number(n), in(n, long))
	default:
		return
	}
	f.against = v.stopped(f.at, r.First, r.Last)
	v.file(f)
}

// A failing is requests of one client of one kind that fail with one code.
type failing struct {
	who       key
	verb      audit.Verb
	resource  string
	namespace string // "" where refusals don't show it
	code      int
}

// A failed is those requests, and what they name.
type failed struct {
	count, of   int64
	first, last int64
	place       audit.Place
	message     string
	object      key // that most are about; the zero key for none
	owner       key // of what is refused
	by          []key
}

// failures files requests that fail again and again. What refused a write is told by its message (audit.Refusal); all
// others are counted by client.
func (v *view) failures() {
	all := newGroups[failing, failed]()
	told := map[audit.Ask]int64{}
	for i := range v.t.Refusals {
		r := &v.t.Refusals[i]
		told[r.Ask] += r.Count
		x := all.of(failing{v.clients[r.Actor], r.Verb, r.Resource, r.Namespace, r.Code})
		x.add(r.Count, r.First, r.Last, r.Place, r.Message)
		x.of = max(x.of, x.count)
		v.refusedBy(x, r)
	}
	for i := range v.t.Answers {
		a := &v.t.Answers[i]
		if a.Resource == "" || a.Code == 404 && a.Verb == audit.VerbGet || strings.HasSuffix(a.Resource, "reviews") ||
			2*told[a.Ask] > a.Count {
			continue
		}
		x := all.of(failing{v.clients[a.Actor], a.Verb, a.Resource, "", a.Code})
		x.add(a.Count, a.First, a.Last, a.Place, a.Message)
		x.of += a.Of
		if a.Object >= 0 && 10*a.ObjectCount >= 6*a.Count {
			x.object = v.written(&v.t.Objects[a.Object])
		}
		for _, k := range v.refs(x.object.namespace, a.Message) {
			x.by = append(x.by, k)
		}
	}
	all.each(v.failuresFact)
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
	if o := &v.t.Owners[r.Owner]; o.Kind != "" {
		x.owner = v.root(key{o.Kind, r.Namespace, o.Name})
		v.apis[x.owner] = cmp.Or(v.apis[x.owner], o.API)
	} else if x.owner == (key{}) && r.Stem != "" {
		x.owner = v.root(key{"ReplicaSet", r.Namespace, r.Stem})
		if r.Resource != "pods" || x.owner.kind == "ReplicaSet" && !v.known("ReplicaSet", r.Namespace, r.Stem) {
			x.owner = key{v.kindOf(r.Resource), r.Namespace, r.Stem}
		}
	}
	if r.Object >= 0 {
		x.object = v.written(&v.t.Objects[r.Object])
	}
	var by key
	switch namespace, name, inCluster := strings.Cut(r.Service, "/"); r.Kind {
	case audit.RefusedByWebhook:
		if inCluster {
			by = key{"Service", namespace, name}
		}
		v.configurations(r.By, func(k key) { x.by = addKey(x.by, k) })
	case audit.DeniedByWebhook:
		v.configurations(r.By, func(k key) { x.by = addKey(x.by, k) })
	case audit.OverQuota:
		by = key{"ResourceQuota", r.Namespace, r.By}
	case audit.NoServiceAccount:
		_, account, ok := strings.Cut(r.By, "/")
		by = key{"ServiceAccount", r.Namespace, account}
		if !ok {
			by.name = r.By
		}
	case audit.OverBudget:
		if by = (key{"PodDisruptionBudget", r.Namespace, r.By}); r.By == "" {
			by = v.root(x.object)
		}
	}
	if by.name != "" {
		x.by = addKey(x.by, by)
	}
}

// addKey adds what is not there yet, maxRefs at most.
func addKey(all []key, k key) []key {
	for _, o := range all {
		if o == k {
			return all
		}
	}
	if len(all) == maxRefs {
		return all
	}
	return append(all, k)
}

func (v *view) failuresFact(k failing, x *failed) {
	n := int(x.count)
	if n < fewFailed || k.resource == "leases" && k.code == 409 && n < fewUnavailable {
		return
	}
	long, ofSystem := micros(x.last-x.first), isSystem(k.who)
	f := fact{about: k.who, kind: failures, count: n, at: placed(x.place, x.first), message: x.message,
		points: 14 + grows(float64(n)/6, 5, 22) + 10*min(1, float64(n)/float64(max(x.of, 1))) +
			plus(k.code == 403 || k.code == 429 || k.code >= 500, 4),
		text: fmt.Sprintf("%s of %s %s requests for %s fail with %d%s", phrase.Number(n), phrase.Number(max(x.of, x.count)),
			k.verb, k.resource, k.code, in(n, long))}
	switch {
	case k.code == 409 && k.verb == audit.VerbCreate:
		f.points -= 4
	case k.code == 409, k.code == 404:
		f.points -= 8
	}
	f.points -= plus(k.code == 409 && ofSystem, 10)
	if f.against = v.stopped(f.at, x.first, x.last); f.against != "" {
		f.points -= 10
	}
	f.via = x.by
	switch {
	case !ofSystem && len(x.by) > 0:
		f.named = true
	case !ofSystem && x.object.name != "":
		f.via = []key{x.object}
	case ofSystem:
		f.more = ", from " + k.who.name
		switch {
		case len(x.by) > 0 && (v.mayBeThere(x.by[0]) || x.owner.name == ""):
			f.about, f.named = x.by[0], true
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
	}
	v.file(f)
}

// leases files Leases that clients take from each other.
func (v *view) leases() {
	for i := range v.t.Leases {
		l := &v.t.Leases[i]
		o := &v.t.Objects[l.Object]
		v.pauses(l)
		n := l.Switches - l.Given - l.Handed
		if n < fewTurns || len(l.Holders) > 12 {
			continue
		}
		f := fact{about: key{"Lease", o.Namespace, o.Name}, kind: lease, points: 20 + grows(float64(n), 6, 24), count: n,
			of: rules.Contention, at: placed(l.At, l.AtTime),
			text: fmt.Sprintf("%d changes of holder among %d holders%s", n, len(l.Holders), in(n, micros(l.Last-l.First)))}
		for _, h := range l.Holders {
			if k := v.clients[h.Actor]; !isSystem(k) {
				f.via = addKey(f.via, k)
			}
		}
		v.file(f)
	}
}

// Bounds on the changes of a Lease's holder, and on pauses between its renewals. Chosen: an upgrade changes it once for
// each replica.
const (
	fewTurns  = 3
	fewPauses = 3
)

// pauses files a Lease that was not renewed for as long as it lasts, again and again.
func (v *view) pauses(l *audit.Lease) {
	if l.Pauses < fewPauses {
		return
	}
	o := &v.t.Objects[l.Object]
	v.file(fact{about: key{"Lease", o.Namespace, o.Name}, kind: late, points: 14 + grows(float64(l.Pauses), 5, 20),
		count: l.Pauses, of: rules.Contention, at: placed(l.At, l.AtTime),
		text: phrase.Count(l.Pauses, "pause") + " in its renewals, of up to " + phrase.Spell(l.Longest)})
}

// retries files Jobs whose pods are made again and again for one index.
func (v *view) retries() {
	for i := range v.t.Retries {
		r := &v.t.Retries[i]
		v.file(fact{about: v.root(key{"Job", r.Namespace, r.Job}), kind: failedPods, of: rules.PodStorm, count: r.Again,
			points: 16 + grows(float64(r.Again), 4, 24),
			at:     placed(v.t.Place(&v.t.Writes[r.FirstWrite]), r.First),
			text: fmt.Sprintf("%s made again for %s%s", phrase.Count(r.Again, "pod"), phrase.Count(r.Indexes, "index"),
				in(r.Again, micros(r.Last-r.First)))})
	}
}

package declared

import (
	"cmp"
	"strings"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// AuditEnv is what a condition sees of requests to the API servers that are alike. Of requests that change nothing,
// and of those for leases and events, neither namespace, name nor subresource is known.
type AuditEnv struct {
	Verb        string `expr:"verb"` // get, list, watch, create, update, patch, delete, deletecollection
	User        string `expr:"user"` // who it counts for: "system:serviceaccount:shop:web"
	Agent       string `expr:"agent"`
	Group       string `expr:"group"` // "" for the core's
	Resource    string `expr:"resource"`
	Subresource string `expr:"subresource"`
	Namespace   string `expr:"namespace"`
	Name        string `expr:"name"`
	Object      string `expr:"object"` // "ConfigMap shop/web"; "" where it is not known
	Code        int    `expr:"code"`   // the answer; 0 where it is not known
	Count       int    `expr:"count"`  // requests
}

// An alike is requests that differ in time only.
type alike struct {
	ask         audit.ActorRequest
	env         AuditEnv
	object      *rules.Object // nil where it is not known
	first, last int64
	place       audit.Place
}

// seeRequests finds requests, those of one user for one resource as one finding.
func seeRequests(c *declared, p *rules.Pass, found func(sight)) {
	eachAlike(parsed.Trail(p), func(a *alike) {
		e := &a.env
		if !c.when.holds(e) {
			return
		}
		resource := e.Resource
		if e.Group != "" {
			resource += "." + e.Group
		}
		file, _, _ := strings.Cut(a.place.Path, "!/")
		f := rules.Finding{Object: a.object, Actors: []string{e.User}, FirstSeen: timeText(a.first),
			LastSeen:    timeText(a.last),
			Fingerprint: rules.FingerprintObject(c.def.ID, rules.Object{Kind: resource, Name: e.User}),
			Next: rules.Commands("triage audit " + rules.Quote(file) + " --resource " + rules.Quote(resource) +
				" --user " + rules.Quote(e.User))}
		found(sight{group: e.User + " " + resource, count: e.Count, env: e, finding: f,
			evidence: func() rules.Evidence {
				text := e.User + ": " + e.Verb + " " + strings.TrimSuffix(resource+"/"+e.Subresource, "/") +
					phrase.OnlyIf(e.Name != "", " "+e.Name)
				return rules.Evidence{Input: a.place.Path, Line: a.place.Line, Time: timeText(a.first), Text: text,
					Count: e.Count}
			}})
	})
}

func timeText(micros int64) string {
	return phrase.OnlyIf(micros != 0, phrase.Time(audit.Time(micros)))
}

// eachAlike calls f for all requests: for writes by actor, verb, object and code, in order of their first time; then
// for those that are only counted.
func eachAlike(t *audit.Trail, f func(*alike)) {
	type key struct {
		actor, object int32
		sub, code     uint16
		verb          audit.Verb
	}
	type answer struct {
		audit.ActorRequest
		code int
	}
	writes := map[key]*alike{}
	var order []*alike
	known := map[answer]int{} // requests that were handed over, by code; -1 for all
	for i := range t.Writes {
		w := &t.Writes[i]
		k := key{w.Actor, w.Object, w.Sub, w.Code, w.Verb}
		a := writes[k]
		if a == nil {
			o := &t.Objects[w.Object]
			what := audit.RequestKind{Verb: w.Verb, Group: o.Group, Resource: o.Resource}
			a = newAlike(t, audit.ActorRequest{Actor: w.Actor, RequestKind: what})
			a.env.Subresource, a.env.Code = t.Texts[w.Sub], int(w.Code)
			a.first, a.place = w.Time, t.Place(w)
			a.about(o)
			writes[k] = a
			order = append(order, a)
		}
		a.env.Count++
		a.last = w.Time
		known[answer{a.ask, int(w.Code)}]++
		known[answer{a.ask, -1}]++
	}
	for _, a := range order {
		f(a)
	}
	counted := func(ask audit.ActorRequest, code int, n, first, last int64, at audit.Place) {
		a := newAlike(t, ask)
		a.env.Code, a.env.Count = max(code, 0), int(n)-known[answer{ask, code}]
		a.first, a.last, a.place = first, last, at
		if a.env.Count > 0 {
			known[answer{ask, -1}] += a.env.Count
			f(a)
		}
	}
	for i := range t.Answers {
		r := &t.Answers[i]
		counted(r.ActorRequest, r.Code, r.Count, r.First, r.Last, r.Place)
	}
	for i := range t.Reads { // all requests
		r := &t.Reads[i]
		counted(r.ActorRequest, -1, r.Count, r.First, r.Last, r.Place)
	}
}

func newAlike(t *audit.Trail, ask audit.ActorRequest) *alike {
	a := &t.Actors[ask.Actor]
	return &alike{ask: ask, env: AuditEnv{Verb: ask.Verb.String(), User: a.Name(), Agent: a.Agent, Group: ask.Group,
		Resource: ask.Resource}}
}

// about names the object of the requests.
func (a *alike) about(o *audit.Object) {
	a.env.Namespace, a.env.Name = o.Namespace, o.Name
	if o.Name == "" {
		return
	}
	kind := cmp.Or(o.Kind, o.Resource)
	if k, ok := kube.KindOf(kind); ok {
		kind = k.Kind
	}
	api := strings.Trim(o.Group+"/"+o.Version, "/")
	a.object = &rules.Object{API: api, Kind: kind, Namespace: o.Namespace, Name: o.Name}
	a.env.Object = a.object.Text()
}

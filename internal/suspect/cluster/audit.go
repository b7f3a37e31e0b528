package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules/phrase"
)

// clientOf is who asks: a service account, else a user.
func clientOf(a *audit.Actor) key {
	account, is := strings.CutPrefix(a.Name(), "system:serviceaccount:")
	if namespace, name, ok := strings.Cut(account, ":"); ok && is {
		return key{client, namespace, name}
	}
	return key{client, "", a.Name()}
}

// systemUsers are what the names of Kubernetes' own components and of the nodes begin with.
var systemUsers = []string{"system:node:", "system:kube-", "system:apiserver", "system:cloud-controller-manager",
	"system:admin", "kubernetes-admin", "kube-apiserver"}

// isSystem reports a client that is a part of Kubernetes: it does what others ask for. Of these the autoscaler decides.
func isSystem(k key) bool {
	if k.namespace != "" {
		return k.namespace == "kube-system" && k.name != "horizontal-pod-autoscaler" ||
			strings.HasPrefix(k.namespace, "openshift-")
	}
	return slices.ContainsFunc(systemUsers, func(begin string) bool { return strings.HasPrefix(k.name, begin) })
}

// requests count some of an audit log.
func (f *fact) requests(n int64, first, last int64, message string, place audit.Place) *fact {
	from := at(kube.At{Input: place.Path, Line: place.Line}, audit.Time(first))
	return f.add(int(n), audit.Time(first), audit.Time(last), message, from)
}

// fewWrites is how often an object is written at least that is looked at.
const fewWrites = 3

// writes see objects that are written again and again by others than the control plane, and those that are made and
// deleted again.
func (v *view) writes() {
	for i := range v.t.Objects {
		o := &v.t.Objects[i]
		if o.Name == "" || len(v.t.ByObject[i]) < fewWrites {
			continue
		}
		k := v.written(o)
		writes, made, own, gone := v.see(rewritten, k), v.see(madeAgain, k), 0, false
		by := map[string]int{}
		for _, i := range v.t.ByObject[i] {
			w := &v.t.Writes[i]
			who := v.clients[w.Actor]
			f := writes
			switch {
			case w.Verb == audit.VerbUpdate, w.Verb == audit.VerbPatch:
			case !w.OK() || w.Sub != 0 || isSystem(who):
				continue
			case w.Verb == audit.VerbDelete:
				gone = true
				continue
			case w.Verb == audit.VerbCreate:
				f = made
			}
			f.requests(1, w.Time, w.Time, "", v.t.Place(w))
			if by[who.name]++; !isSystem(who) {
				own++
				f.via = addFew(f.via, who)
			}
			if paths := v.t.Changes[w.Change].Paths; len(paths) > 0 {
				f.more = ", changes " + phrase.Some(paths, 2)
			}
		}
		if float64(own) < rewritten.least && slices.Contains(reportedOn, k.kind) {
			writes.meant = fewReports
		}
		if !gone {
			made.count = 0
		}
		names := slices.Collect(maps.Keys(by))
		slices.SortFunc(names, func(a, b string) int { return cmp.Or(by[b]-by[a], strings.Compare(a, b)) })
		names = slices.DeleteFunc(names, func(name string) bool { return 4*by[name] < by[names[0]] })
		writes.a = " by " + phrase.Some(names, 2)
		made.a = writes.a
	}
}

// A batch is what becomes of the objects that one client created of one resource.
type batch struct {
	*fact
	deleted  int
	nameless int // the level leaves out their names, and no deletion was taken for theirs
	stems    map[string]int
}

// creations see clients that create much.
func (v *view) creations() {
	batches := map[sight]*batch{}
	made := map[int32]*batch{} // by object
	for i := range v.t.Writes {
		w := &v.t.Writes[i]
		o, who := &v.t.Objects[w.Object], v.clients[w.Actor]
		of := sight{about: who, kind: creates, a: o.Resource}
		b := batches[of]
		switch {
		case !w.OK() || w.Sub != 0:
		case w.Verb == audit.VerbDelete:
			if by := made[w.Object]; by != nil {
				by.deleted++
				delete(made, w.Object) // clients may ask twice
			} else if b != nil && b.nameless > 0 {
				b.deleted, b.nameless = b.deleted+1, b.nameless-1
			}
		case w.Verb == audit.VerbCreate && !isSystem(who):
			if b == nil {
				b = &batch{fact: v.see(creates, who, o.Resource), stems: map[string]int{}}
				batches[of] = b
			}
			b.requests(1, w.Time, w.Time, "", v.t.Place(w))
			if o.Name != "" {
				made[w.Object] = b
			} else {
				b.nameless++
			}
			if stem, ok := family(o.Name); ok && len(b.stems) < maxStems {
				b.stems[stem]++
			}
		}
	}
	for _, b := range batches {
		for stem, n := range b.stems {
			if 2*n > b.count {
				b.more = ", named " + stem
			}
		}
		b.more += phrase.OnlyIf(b.deleted > 0, ", "+phrase.Number(b.deleted)+" were deleted")
	}
}

// maxStems bounds how many beginnings of names are counted.
const maxStems = 1000

// reads see clients that list much, and those whose requests are slow.
func (v *view) reads() {
	for i := range v.t.Reads {
		r := &v.t.Reads[i]
		if s := &r.Slow; s.Count > 0 && r.Resource != "" {
			f := v.see(slow, v.clients[r.Actor], r.Verb.String(), r.Resource).
				requests(s.Count, s.First, s.Last, "", s.Place)
			f.more = ", the slowest for " + phrase.Seconds(s.Max.Seconds())
			if s.Part != "" {
				f.more += ", " + phrase.Seconds(s.InPart.Seconds()) + " of it in " + s.Part
				f.extra = 12 * s.InPart.Seconds() / s.Max.Seconds()
			}
		}
		who, often := v.clients[r.Actor], r.Last-r.First <= 10*r.Count*time.Second.Microseconds()
		if !isSystem(who) && r.Verb == audit.VerbList && often && r.Resource != "leases" {
			f := v.see(lists, who, r.Resource).requests(r.Count, r.First, r.Last, "", r.Place)
			f.more = phrase.OnlyIf(r.Full > 0, ", "+phrase.Number(r.Full)+" of them in full, past the server's cache")
		}
	}
}

// failures see requests that fail again and again: about what a message names as the reason, else about the client, and
// where that is a part of Kubernetes about the object.
func (v *view) failures() {
	for i := range v.t.Answers {
		a := &v.t.Answers[i]
		if a.Resource == "" || a.Code == 404 && a.Verb == audit.VerbGet || strings.HasSuffix(a.Resource, "reviews") ||
			a.Code == 409 && a.Verb != audit.VerbCreate { // such are writes that others were faster with
			continue
		}
		who, object := v.clients[a.Actor], key{}
		if a.Object >= 0 && 2*a.ObjectCount > a.Count {
			object = v.written(&v.t.Objects[a.Object])
		}
		about := who
		if named := v.reasons(object.namespace, a.Message); isSystem(who) && len(named) > 0 {
			about = named[0]
		} else if isSystem(who) {
			about = v.root(object)
		}
		f := v.see(failures, about, a.Verb.String(), a.Resource, fmt.Sprint(a.Code)).
			requests(a.Count, a.First, a.Last, a.Message, a.Place)
		f.via = addFew(nil, object)
		v.explain(f, object.namespace)
		f.more = fmt.Sprintf(", of %s from %s", phrase.Number(a.Of), who.name)
		f.extra = 10 * min(1, float64(a.Count)/float64(max(a.Of, 1)))
	}
}

// leases see Leases that clients take from each other.
func (v *view) leases() {
	for i := range v.t.Leases {
		l := &v.t.Leases[i]
		o := &v.t.Objects[l.Object]
		f := v.see(holders, key{"Lease", o.Namespace, o.Name}).
			requests(int64(l.Switches-l.Handed), l.First, l.Last, "", v.t.PlaceOf(&l.From))
		for _, h := range l.Holders {
			if k := v.clients[h.Actor]; !isSystem(k) {
				f.via = addFew(f.via, k)
			}
		}
	}
}

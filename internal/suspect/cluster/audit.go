package cluster

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/rules"
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

// systemUsers are what the names of users begin with that do what others ask for: Kubernetes' own components and the nodes.
var systemUsers = []string{"system:node:", "system:kube-", "system:apiserver", "system:cloud-controller-manager",
	"system:admin", "kubernetes-admin", "kube-apiserver"}

// isSystem reports a client that is a part of Kubernetes.
func isSystem(k key) bool {
	if k.namespace != "" {
		return k.namespace == "kube-system" || strings.HasPrefix(k.namespace, "openshift-")
	}
	return slices.ContainsFunc(systemUsers, func(begin string) bool { return strings.HasPrefix(k.name, begin) })
}

// willful reports a client that decides what to write: all but the parts of Kubernetes, of which the autoscaler does.
func willful(k key) bool { return !isSystem(k) || k.name == "horizontal-pod-autoscaler" }

// A burst is requests with when they came; sorted once all are there.
type burst struct {
	times []int64
	place rules.Evidence // of the first
}

func (b *burst) add(t *audit.Trail, w *audit.Write) {
	if len(b.times) == 0 {
		b.place = placed(t.Place(w), w.Time)
	}
	b.times = append(b.times, w.Time)
}

func (b *burst) first() int64 { return b.times[0] }
func (b *burst) last() int64  { return b.times[len(b.times)-1] }

func (b *burst) long() time.Duration { return micros(b.last() - b.first()) }

func micros(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

// sustained is the share of the burst's own time in which it goes on: of its tenths, those with a request.
func (b *burst) sustained() float64 {
	long := b.last() - b.first()
	if long <= 0 {
		return 0
	}
	var tenths [10]bool
	for _, at := range b.times {
		tenths[min(9, 10*(at-b.first())/long)] = true
	}
	n := 0
	for _, is := range tenths {
		if is {
			n++
		}
	}
	return float64(n) / 10
}

// stopped is what speaks against a burst that ended well before the logs do, "" for one that goes on.
func (v *view) stopped(place rules.Evidence, first, last int64) string {
	end := v.ends[place.Input]
	if end == 0 || !over(audit.Time(end), audit.Time(first), audit.Time(last)) {
		return ""
	}
	return "it ended " + phrase.Spell(micros(end-last)) + " before the input does"
}

// Bounds on the writes of one object. Chosen: an object is written some ten times in its life, one that the control
// plane itself reports about more often.
const (
	fewWrites      = 12
	fewSystemOnes  = 60
	fewOfWorkloads = 300
)

// reportedOn are kinds whose status the control plane writes as the cluster changes.
var reportedOn = append([]string{"Pod", "Node", "Namespace", "PersistentVolumeClaim", "EndpointSlice", "Endpoints",
	"ResourceQuota", "PodDisruptionBudget", "HorizontalPodAutoscaler"}, workloads...)

// writes files objects that are written again and again, and those that are made and deleted again.
func (v *view) writes() {
	v.clients = make([]key, len(v.t.Actors))
	v.system = make([]bool, len(v.t.Actors))
	for i := range v.t.Actors {
		v.clients[i] = clientOf(&v.t.Actors[i])
		v.system[i] = isSystem(v.clients[i])
	}
	for i := range v.t.Objects {
		if o := &v.t.Objects[i]; o.Name != "" && len(v.t.ByObject[i]) >= 4 {
			v.rewritesOf(v.written(o), v.t.ByObject[i])
			v.remakesOf(v.written(o), v.t.ByObject[i])
		}
	}
}

// A writing is the writes of one object.
type writing struct {
	burst
	own         burst // of those that are not the control plane's
	by          map[key]int
	turns       int // how often the writer changed
	compared    int // writes whose change is known
	timed, none int // of these, that changed only times, or nothing
	conflicts   int
	fields      map[int32]int // how often each set of fields was changed
	lastBy      key
	done        int
}

func (x *writing) add(v *view, w *audit.Write) {
	x.burst.add(v.t, w)
	who := v.clients[w.Actor]
	if !v.system[w.Actor] {
		x.own.add(v.t, w)
	}
	x.by[who]++
	if w.Code == 409 {
		x.conflicts++
	}
	if !w.OK() {
		return
	}
	if x.done++; x.done > 1 && who != x.lastBy {
		x.turns++
	}
	x.lastBy = who
	if w.Flags&audit.FlagBodies == 0 {
		return
	}
	x.compared++
	switch c := &v.t.Changes[w.Change]; {
	case c.Nothing:
		x.none++
	case c.TimeOnly:
		x.timed++
	}
	x.fields[w.Change]++
}

// writers are those who write most, at most two.
func (x *writing) writers() []key {
	all := slices.SortedFunc(maps.Keys(x.by), func(a, b key) int {
		return cmp.Or(x.by[b]-x.by[a], strings.Compare(a.String(), b.String()))
	})
	return all[:min(len(all), 2)]
}

func (v *view) rewritesOf(k key, writes []int32) {
	x := &writing{by: map[key]int{}, fields: map[int32]int{}}
	for _, i := range writes {
		if w := &v.t.Writes[i]; w.Verb == audit.VerbUpdate || w.Verb == audit.VerbPatch {
			x.add(v, w)
		}
	}
	all, own := len(x.times), len(x.own.times)
	least := fewWrites
	switch {
	case (isWorkload(k.kind) || k.kind == "Pod") && own < fewWrites:
		least = fewOfWorkloads
	case own == 0 && slices.Contains(reportedOn, k.kind):
		least = fewSystemOnes
	}
	if all < least {
		return
	}
	v.file(v.rewritesFact(k, x))
}

func (v *view) rewritesFact(k key, x *writing) fact {
	all, long, most := len(x.times), x.long(), &x.burst
	if len(x.own.times) > 0 {
		most = &x.own
	}
	f := fact{about: k, kind: rewritten, count: all, of: rules.HotLoop, at: x.place,
		points: 8 + grows(float64(len(most.times))/8, 4, 24) + grows(20*float64(all)/max(long.Seconds(), 1), 2, 8) +
			8*most.sustained() - plus(len(x.own.times) == 0, 14),
		text: phrase.Number(all) + " writes" + in(all, long)}
	who := x.writers()
	if len(who) == 2 && 4*x.by[who[1]] >= x.by[who[0]] && x.by[who[1]] >= 5 && x.turns >= 6 &&
		willful(who[0]) && willful(who[1]) {
		f.points += 12
		f.text += " by " + who[0].name + " and " + who[1].name + " in turns"
	} else {
		f.text += fmt.Sprintf(", %d%% by %s", 100*x.by[who[0]]/all, who[0].name)
	}
	f.more = v.changes(x)
	f.points += plus(2*x.timed > x.done, 8) + plus(10*x.none > 3*x.done, 8)
	if x.conflicts >= 5 {
		f.points += min(8, 8*float64(x.conflicts)/float64(all))
		f.more += ", " + phrase.Count(x.conflicts, "conflict")
	}
	if f.against = v.stopped(x.place, x.first(), x.last()); f.against != "" {
		f.points -= 10
	}
	for _, w := range who {
		if !isSystem(w) {
			f.via = append(f.via, w)
		}
	}
	return f
}

// changes says what the writes change, where bodies show it.
func (v *view) changes(x *writing) string {
	var parts []string
	if set, n := mostOf(x.fields); n > 0 && len(v.t.Changes[set].Paths) > 0 {
		parts = append(parts, "changes "+phrase.Some(v.t.Changes[set].Paths, maxFields))
	}
	if 2*x.timed > x.done {
		parts = append(parts, "only times differ")
	}
	if 10*x.none > 3*x.done {
		parts = append(parts, phrase.Number(x.none)+" change nothing")
	}
	return onlyIf(len(parts) > 0, ", "+strings.Join(parts, ", "))
}

// fewRemakes is how often an object has to be made before that is a fact. Chosen.
const fewRemakes = 3

// remakesOf files a name of which objects are made and deleted again and again.
func (v *view) remakesOf(k key, writes []int32) {
	var made burst
	deleted, by := 0, map[key]int{}
	for _, i := range writes {
		w := &v.t.Writes[i]
		if !w.OK() || w.Sub != 0 {
			continue
		}
		switch w.Verb {
		case audit.VerbCreate:
			made.add(v.t, w)
		case audit.VerbDelete:
			deleted++
		default:
			continue
		}
		by[v.clients[w.Actor]]++
	}
	n := len(made.times)
	if n < fewRemakes || deleted == 0 {
		return
	}
	x := writing{by: by}
	system := !slices.ContainsFunc(x.writers(), willful)
	f := fact{about: k, kind: madeAgain, points: 22 + grows(float64(n), 5, 22) - plus(system, 14), count: n, of: rules.HotLoop, at: made.place,
		text: "made " + phrase.Number(n) + " times and deleted " + phrase.Number(deleted) + " times" + in(n, made.long()),
		via:  x.writers()}
	var names []string
	for _, w := range f.via {
		names = append(names, w.name)
	}
	f.text += " by " + phrase.List(names)
	v.file(f)
}

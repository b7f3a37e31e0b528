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

// systemUsers are what the names of Kubernetes' own components and of the nodes begin with.
var systemUsers = []string{
	"system:node:", "system:kube-", "system:apiserver", "system:cloud-controller-manager", "system:admin",
	"kubernetes-admin", "kube-apiserver",
}

// isSystem reports a client that is a part of Kubernetes: it does what others ask for.
func isSystem(k key) bool {
	if k.namespace != "" {
		return k.namespace == "kube-system" || strings.HasPrefix(k.namespace, "openshift-")
	}
	return slices.ContainsFunc(systemUsers, func(begin string) bool { return strings.HasPrefix(k.name, begin) })
}

// decides reports a client that decides what to write: of the parts of Kubernetes the autoscaler does.
func decides(k key) bool { return !isSystem(k) || k.name == "horizontal-pod-autoscaler" }

// stopped is what speaks against requests that ended well before the logs do, "" for what goes on.
func (v *view) stopped(place rules.Evidence, first, last int64) string {
	if end := v.ends[place.Input]; end != 0 {
		return stopped(audit.Time(end), audit.Time(first), audit.Time(last))
	}
	return ""
}

// A burst is requests with when they came, in order, and the place of the first.
type burst struct {
	times []int64
	place rules.Evidence
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

// Bounds on the writes of one object, and how often it has to be made. Chosen: an object is written some ten times in
// its life, one that the control plane reports about more often.
const fewWrites, fewReports, fewOfWorkloads, fewRemakes = 12, 60, 300, 3

// reportedOn are kinds whose status the control plane writes as the cluster changes.
var reportedOn = append([]string{"Pod", "Node", "Namespace", "PersistentVolumeClaim", "EndpointSlice", "Endpoints",
	"ResourceQuota", "PodDisruptionBudget", "HorizontalPodAutoscaler"}, workloads...)

// writes files objects that are written again and again, and those that are made and deleted again.
func (v *view) writes() {
	for i := range v.t.Objects {
		if o := &v.t.Objects[i]; o.Name != "" && len(v.t.ByObject[i]) > fewRemakes {
			v.writesOf(v.written(o), v.t.ByObject[i])
		}
	}
}

// A writing is the writes of one object.
type writing struct {
	burst
	own         int         // how many are not the control plane's
	made        burst       // its creations
	by, remake  map[key]int // who updates it, and who creates and deletes it
	turns       int         // how often the writer changed
	lastBy      key
	done        int // not refused
	timed, none int // that changed only times, or nothing
	conflicts   int
	deleted     int
	fields      map[int32]int // how often each set of fields was changed
}

func (v *view) writesOf(k key, writes []int32) {
	x := &writing{by: map[key]int{}, remake: map[key]int{}, fields: map[int32]int{}}
	for _, i := range writes {
		w := &v.t.Writes[i]
		who := v.clients[w.Actor]
		switch {
		case w.Verb == audit.VerbUpdate, w.Verb == audit.VerbPatch:
			x.update(v.t, w, who)
		case !w.OK() || w.Sub != 0:
		case w.Verb == audit.VerbCreate:
			x.made.add(v.t, w)
			x.remake[who]++
		case w.Verb == audit.VerbDelete:
			x.deleted++
			x.remake[who]++
		}
	}
	if n := len(x.made.times); n >= fewRemakes && x.deleted > 0 {
		who := mostWriters(x.remake)
		v.file(fact{about: k, kind: "made again", count: n, of: rules.HotLoop, at: x.made.place, via: who,
			points: 22 + grows(float64(n), 5, 22) - plus(!slices.ContainsFunc(who, decides), 14),
			text: fmt.Sprintf("made %d times and deleted %d times%s by %s", n, x.deleted, in(n, x.made.long()),
				named(who))})
	}
	least, own := fewWrites, x.own
	if (isWorkload(k.kind) || k.kind == "Pod") && own < fewWrites {
		least = fewOfWorkloads
	} else if own == 0 && slices.Contains(reportedOn, k.kind) {
		least = fewReports
	}
	if len(x.times) >= least {
		v.rewritesFact(k, x)
	}
}

func (x *writing) update(t *audit.Trail, w *audit.Write, who key) {
	x.add(t, w)
	if !isSystem(who) {
		x.own++
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
	if w.Flags&audit.FlagBodies != 0 {
		x.fields[w.Change]++
		if c := &t.Changes[w.Change]; c.Nothing {
			x.none++
		} else if c.TimeOnly {
			x.timed++
		}
	}
}

// mostWriters are the two who write most.
func mostWriters(by map[key]int) []key {
	all := slices.SortedFunc(maps.Keys(by), func(a, b key) int {
		return cmp.Or(by[b]-by[a], strings.Compare(a.String(), b.String()))
	})
	return all[:min(len(all), 2)]
}

// named is the names of clients in a sentence.
func named(clients []key) string {
	names := make([]string, len(clients))
	for i, k := range clients {
		names[i] = k.name
	}
	return phrase.List(names)
}

func (v *view) rewritesFact(k key, x *writing) {
	all, long, most := len(x.times), x.long(), cmp.Or(x.own, len(x.times))
	who := mostWriters(x.by)
	f := fact{about: k, kind: "rewritten", count: all, of: rules.HotLoop, at: x.place,
		points: 14 + grows(float64(most)/8, 4, 24) + grows(20*float64(all)/max(long.Seconds(), 1), 2, 8) -
			plus(x.own == 0, 14) + plus(2*x.timed > x.done, 8) +
			plus(10*x.none > 3*x.done, 8) + plus(x.conflicts >= 5, min(8, 8*float64(x.conflicts)/float64(all))),
		text:    phrase.Number(all) + " writes" + in(all, long),
		via:     slices.DeleteFunc(slices.Clone(who), isSystem),
		against: v.stopped(x.place, x.first(), x.last())}
	f.points -= plus(f.against != "", 10)
	if len(who) == 2 && 4*x.by[who[1]] >= x.by[who[0]] && x.by[who[1]] >= 5 && x.turns >= 6 && decides(who[0]) &&
		decides(who[1]) {
		f.points += 12
		f.text += " by " + named(who) + " in turns"
	} else {
		f.text += fmt.Sprintf(", %d%% by %s", 100*x.by[who[0]]/all, who[0].name)
	}
	if set, n := mostOf(x.fields); n > 0 && len(v.t.Changes[set].Paths) > 0 {
		f.more = ", changes " + phrase.Some(v.t.Changes[set].Paths, maxFields)
	}
	f.more += onlyIf(2*x.timed > x.done, ", only times differ") +
		onlyIf(10*x.none > 3*x.done, ", "+phrase.Number(x.none)+" change nothing") +
		onlyIf(x.conflicts >= 5, ", "+phrase.Count(x.conflicts, "conflict"))
	v.file(f)
}

package objects

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// A stormKey is what events about one storm have in common: the controller, or the part of its pods' names that it
// gives, and the reason.
type stormKey struct{ kind, namespace, stem, reason string }

// stormKeyOf is the key of an event that may be of a storm: a pod that was rejected, or what the controller did.
func stormKeyOf(e *kube.Event) (k stormKey, ok bool) {
	k = stormKey{e.Object.Kind, e.Object.Namespace, e.Object.Name, e.Reason}
	switch {
	case k.kind == "Pod":
		k.kind = "ReplicaSet" // what makes pods by the hundred under generated names
		i := strings.LastIndexByte(k.stem, '-')
		k.stem = k.stem[:max(i, 0)]
		return k, i > 0 && rejection(k.reason)
	case k.reason == "SuccessfulCreate":
		return k, k.kind == "ReplicaSet" || k.kind == "DaemonSet"
	}
	return k, k.reason == "FailedDaemonPod" && k.kind == "DaemonSet" ||
		k.reason == "RecreatingFailedPod" && k.kind == "StatefulSet"
}

// stormsOfEvents looks for storms whose pods are gone, in the events that they left: pods that were rejected, by the
// name that their controller generates from, and what a ReplicaSet says it created.
func stormsOfEvents(c *kube.Cluster, known []rules.Finding) []rules.Finding {
	var groups grouping[stormKey, *kube.Event]
	for _, e := range c.Events {
		if k, ok := stormKeyOf(e); ok {
			groups.add(k, e)
		}
	}
	var found []rules.Finding
	for _, k := range groups.keys {
		owner := kube.Ref{API: "apps/v1", Kind: k.kind, Namespace: k.namespace, Name: k.stem}
		top := owner
		if w := c.Workload(k.kind, k.namespace, k.stem); w != nil {
			top = c.Top(&w.Meta)
		}
		f, ok := eventStorm(c, owner, top, k.reason, groups.values[k])
		if ok && !slices.ContainsFunc(known, func(f rules.Finding) bool {
			return *f.Object == *objectOf(top) || *f.Object == *objectOf(owner)
		}) {
			found = append(found, f)
		}
	}
	return found
}

// eventStorm decides whether events with one key show a storm.
func eventStorm(c *kube.Cluster, owner, top kube.Ref, reason string, events []*kube.Event) (rules.Finding, bool) {
	n, names, first, sample := 0, map[string]bool{}, events[0].First, events[len(events)-1]
	for _, e := range events {
		n += e.Count
		names[e.Object.Name] = true
		if e.First.Before(first) {
			first = e.First
		}
	}
	span := sample.Last.Sub(first)
	if n < stormPods || rate(n, span) < float64(stormPods)/stormWindow.Seconds() {
		return rules.Finding{}, false
	}
	f := finding(top, rules.High, rules.ConfMedium, n, first, sample.Last)
	took, act := phrase.Spell(span), ""
	switch w := c.Workload(owner.Kind, owner.Namespace, owner.Name); {
	case reason == "SuccessfulCreate":
		r := reckon(c, owner, w)
		if !r.storm(n) {
			return rules.Finding{}, false
		}
		act = r.judge(&f, owner, n, took)
	case n < 2*placesFor(c, owner, w, events) && (w == nil || w.NodeName == ""):
		return rules.Finding{}, false // each pod once, or a node's pods in one moment
	case owner.Kind != "ReplicaSet":
		act = fmt.Sprintf("had at least %d failed pods replaced in %s", n, took)
		f.Why = fmt.Sprintf("The controller of %s found at least %d failed pods and replaced each.", kindName(owner), n)
		f.Fix = fmt.Sprintf("See in the event and in the status of a failed pod why its node ends it, and fix that "+
			"on the node or in the template of %s.", kindName(top))
	case len(names) < stormPods/2:
		return rules.Finding{}, false // one pod that is reported again and again
	default:
		act = fmt.Sprintf("had at least %d pods rejected with %s in %s", n, reason, took)
		f.Why = fmt.Sprintf("Events show at least %d pods%s that a kubelet rejected with %s; their names come from "+
			"one controller.", n, byName(n, len(names)), reason)
		if reason == evicted {
			f.Fix = fmt.Sprintf("Find what uses the resource up that the message names, %s itself first, and bound "+
				"it (requests and limits, ephemeral-storage among them).", kindName(top))
			if span < lastingLife && n < stormHundreds { // a node that evicts its pods once
				f.Severity, f.Confidence = rules.Low, rules.ConfLow
			}
		}
	}
	if c.Time.Sub(sample.Last) > stormOver {
		f.Severity = rules.Low
	}
	f.Title = title(top, act)
	f.Why += " The events are a lower bound: client-go folds events together and drops what exceeds 25 for each object."
	f.Evidence = []rules.Evidence{evidence(sample.At, sample.Last, n, "Event %s about %s: %s", reason,
		kindName(sample.Object), sample.Message)}
	f.Notes = []string{"The pods themselves are not in the inputs: collected, or never read. Only events show them."}
	f.Next = rules.Commands(kubectlOn(top, "get", "-o yaml"),
		kubectlIn(top.Namespace, "get pods --sort-by=.metadata.creationTimestamp | tail -40"),
		kubectlIn(top.Namespace, "get events --sort-by=.lastTimestamp | tail -40"))
	return f, true
}

// placesFor is how many pods a controller has places for at once: the replicas that it wants, the pods that it has, the
// nodes that its events name (pkg/controller/daemon/daemon_controller.go, "Found failed daemon pod %s/%s on node %s,
// will try to kill it"). Less than twice as many failures are of pods that failed once each.
func placesFor(c *kube.Cluster, owner kube.Ref, w *kube.Workload, events []*kube.Event) int {
	places := livePods(c, owner)
	if w != nil {
		places = max(places, int(w.Replicas), int(w.Current))
	}
	nodes := map[string]bool{}
	for _, e := range events {
		if _, node, ok := strings.Cut(e.Message, " on node "); ok {
			node, _, _ = strings.Cut(node, ",")
			nodes[node] = true
		}
	}
	return max(places, len(nodes))
}

// A reckoning is what explains the pods that a controller created, as far as the inputs show it.
type reckoning struct {
	wanted   int64 // the most replicas that were wanted at any time; -1 where nothing says so
	scaledUp int   // pods that were asked for by scaling up
	deleted  int   // pods that the controller deleted itself
	short    int   // of the pods whose beginning and end are known, those that lived less than lastingLife
	lived    int   // and those that lived longer
	failed   int   // pods that failed, or that warnings of failures are about
}

// lastingLife is how long a pod that works lives at least: a rollout replaces what has been ready before, and a drain
// moves what has run for long. What a storm replaces is gone within seconds.
const lastingLife = time.Minute

// storm reports whether n creations are more than scaling, the controller's own deletions and lasting pods explain. A
// rollout, a rollback, a drain, an autoscaler and a scale-up create each pod for a reason that the events name.
func (r *reckoning) storm(n int) bool {
	if r.wanted <= 0 || int64(n) < 3*r.wanted || r.lived > r.short {
		return false
	}
	return n-max(r.scaledUp, r.deleted+int(r.wanted)) >= stormPods
}

// judge describes n creations in a finding, and returns what the owner did for its title.
func (r *reckoning) judge(f *rules.Finding, owner kube.Ref, n int, took string) string {
	f.Severity, f.Confidence = rules.Low, rules.ConfLow
	if r.failed > 0 && owner.Kind != "DaemonSet" || r.failed >= stormPods { // nodes come and go, with a pod each
		f.Severity, f.Confidence = rules.Medium, rules.ConfMedium
	}
	act := fmt.Sprintf("created at least %d pods in %s for %s", n, took, phrase.Count(r.wanted, "replica"))
	f.Why = fmt.Sprintf("%s wanted %d at most and created at least %d pods: %s.", kindName(owner), r.wanted, n,
		r.explain())
	f.Fix = fmt.Sprintf("See in the events and the last states of the pods of %s why they end, and fix that.",
		kindName(owner))
	if owner.Kind == "DaemonSet" {
		act = fmt.Sprintf("created at least %d pods in %s and wants %d now", n, took, r.wanted)
		f.Why = fmt.Sprintf("%s wants %d now and created at least %d pods: %s. Nodes that came and went explain "+
			"a pod each.", kindName(owner), r.wanted, n, r.explain())
	}
	return act
}

func (r *reckoning) explain() string {
	s := "the others did not stay"
	if r.deleted > 0 {
		s += fmt.Sprintf(", and it deleted only %d of them itself", r.deleted)
	}
	if r.failed > 0 {
		s += "; " + phrase.Count(r.failed, "failure") + " of its pods in the inputs"
	}
	return s
}

// scaling reads what a Deployment's controller says about its ReplicaSets: "Scaled up replica set web-5d4f to 3 from
// 0", "Scaled down replica set web-5d4f from 3 to 0" (pkg/controller/deployment/sync.go, 1.20 to 1.34).
var scaling = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`Scaled (up|down) replica set (\S+)(?: from (\d+))? to (\d+)(?: from (\d+))?`)
})

// reckon gathers what explains the pods of a ReplicaSet or DaemonSet; w is it, nil where the inputs lack it.
func reckon(c *kube.Cluster, owner kube.Ref, w *kube.Workload) reckoning {
	r := reckoning{wanted: -1}
	if w != nil && w.Replicas > 0 { // one that wants none is what a rollout has left
		r.wanted = max(w.Replicas, w.Desired, w.Current)
		if w.Owner.Kind == "Deployment" {
			if d := c.Workload("Deployment", owner.Namespace, w.Owner.Name); d != nil {
				r.wanted = max(r.wanted, d.Replicas)
			}
		}
	}
	type life struct {
		from, to time.Time
		hindered bool // by what a pod waits for (FailedMount, FailedScheduling): a failure if it ends so
	}
	lives := map[string]*life{}
	for _, e := range c.Events {
		if e.Object.Namespace != owner.Namespace {
			continue
		}
		switch {
		case e.Reason == "ScalingReplicaSet":
			r.scaled(e, owner.Name)
		case e.Object.Kind == owner.Kind && e.Object.Name == owner.Name && e.Reason == "SuccessfulDelete":
			r.deleted += e.Count
		case e.Object.Kind == "Pod" && strings.HasPrefix(e.Object.Name, owner.Name+"-"):
			l := lives[e.Object.Name]
			if l == nil {
				l = &life{}
				lives[e.Object.Name] = l
			}
			switch {
			case e.Reason == "Killing":
				l.to = e.Last
			case l.from.IsZero() || e.First.Before(l.from):
				l.from = e.First
			}
			switch {
			case e.Type != "Warning":
			case rejection(e.Reason), e.Reason == "Failed", e.Reason == "BackOff":
				r.failed++
			case strings.HasPrefix(e.Reason, "Failed"):
				l.hindered = true
			}
		}
	}
	for _, l := range lives {
		switch {
		case l.to.IsZero():
		case !l.from.IsZero() && l.to.Sub(l.from) < lastingLife:
			r.short++
			if l.hindered {
				r.failed++
			}
		default:
			r.lived++ // one whose beginning has left the events lived long
		}
	}
	r.failed += countPods(c, owner, func(p *kube.Pod) bool { return p.Phase == "Failed" })
	return r
}

// scaled takes an event about the scaling of a ReplicaSet.
func (r *reckoning) scaled(e *kube.Event, name string) {
	m := scaling().FindStringSubmatch(e.Message)
	if m == nil || m[2] != name {
		return
	}
	from, _ := strconv.ParseInt(m[3]+m[5], 10, 64) // one of them, or none
	to, _ := strconv.ParseInt(m[4], 10, 64)
	const most = 1 << 20 // what no message means
	from, to = min(from, most), min(to, most)
	if r.wanted > 0 {
		r.wanted = max(r.wanted, to, from)
	}
	if m[1] == "up" {
		r.scaledUp += int(max(to-from, 0)) * max(e.Count, 1)
	}
}

// rate is n over d, in a second; everything at once is everything in one second.
func rate(n int, d time.Duration) float64 { return float64(n) / max(d.Seconds(), 1) }

// byName reports how many of n pods events name, unless they name all.
func byName(n, named int) string {
	if named >= n {
		return ""
	}
	return fmt.Sprintf(" (%d of them by name)", named)
}

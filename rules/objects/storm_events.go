package objects

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// A stormKey is what events about one storm have in common: the controller, or the part of its pods' names that it
// gives, and the reason.
type stormKey struct{ kind, namespace, stem, reason string }

// stormKeyOf is the key of an event that may be of a storm: a pod that was rejected, or a failed pod that its
// controller replaced.
func stormKeyOf(e *kube.Event) (k stormKey, ok bool) {
	k = stormKey{e.Object.Kind, e.Object.Namespace, e.Object.Name, e.Reason}
	if k.kind == "Pod" {
		k.kind = "ReplicaSet" // what makes pods by the hundred under generated names
		i := strings.LastIndexByte(k.stem, '-')
		k.stem = k.stem[:max(i, 0)]
		return k, i > 0 && rejection(k.reason)
	}
	return k, k.reason == "FailedDaemonPod" && k.kind == "DaemonSet" ||
		k.reason == "RecreatingFailedPod" && k.kind == "StatefulSet"
}

// stormsOfEvents looks for storms whose pods are gone, in the events that they left.
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

// lastingLife is how long a pod that works lives at least: what a storm replaces is gone within seconds.
const lastingLife = time.Minute

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
	span, w := sample.Last.Sub(first), c.Workload(owner.Kind, owner.Namespace, owner.Name)
	if n < stormPods || float64(n)/max(span.Seconds(), 1) < float64(stormPods)/stormWindow.Seconds() ||
		n < 2*placesFor(c, owner, w, events) && (w == nil || w.NodeName == "") || // each pod once
		owner.Kind == "ReplicaSet" && len(names) < stormPods/2 { // one pod that is reported again and again
		return rules.Finding{}, false
	}
	f := finding(top, rules.High, rules.ConfMedium, n, first, sample.Last)
	took := phrase.Spell(span)
	if owner.Kind == "ReplicaSet" {
		f.Title = title(top, fmt.Sprintf("had at least %d pods rejected with %s in %s", n, reason, took))
		f.Why = fmt.Sprintf("Events show at least %d pods of one controller that a kubelet rejected with %s.", n,
			reason)
	} else {
		f.Title = title(top, fmt.Sprintf("had at least %d failed pods replaced in %s", n, took))
		f.Why = fmt.Sprintf("The controller of %s replaced at least %d failed pods.", kindName(owner), n)
	}
	f.Fix = fmt.Sprintf("Fix what the event names, on the node or in the template of %s.", kindName(top))
	if reason == evicted && span < lastingLife && n < stormHundreds {
		f.Doubt("All were evicted within a minute: a full node evicts its pods once.")
	}
	if over := c.Time.Sub(sample.Last); over > stormOver {
		f.Doubt("The last of these events came " + phrase.Spell(over) + " before the objects were read.")
	}
	f.Evidence = []rules.Evidence{evidence(sample.At, sample.Last, n, "Event %s about %s: %s", reason,
		kindName(sample.Object), sample.Message)}
	f.Notes = []string{"The pods themselves are not in the inputs. Events are a lower bound: clients drop most of " +
		"them."}
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

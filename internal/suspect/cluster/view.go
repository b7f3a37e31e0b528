// Package cluster finds suspects in Kubernetes objects, events, audit logs and pods' logs.
//
// A fact is one thing that the inputs show of an object or a client: how often, and for how long. Detectors count it,
// and a table of kinds gives it points and a sentence. It is filed under the workload or object that its subject
// belongs to. Facts about one chain (what an object belongs to, what a message names, who writes it) are one suspect:
// the best fact of each kind counts, the first in full and the next ones less and less. No fact knows a fault, and
// none says that something is wrong. Begin reading at Suspects; the kinds of facts are in facts.go, how they become
// suspects is in chain.go.
package cluster

import (
	"cmp"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/objectname"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/internal/suspect"
	"github.com/gotriage/triage/rules"
)

// Suspects are those of all objects and logs, best first.
func Suspects(p *rules.Pass) []suspect.Suspect {
	v := newView(parsed.Cluster(p), parsed.Trail(p))
	for _, look := range []func(){
		v.conditions, v.states, v.pods, v.needs, v.selectors, v.events, v.piles, v.versions, v.terms, // objects
		v.writes, v.creations, v.reads, v.failures, v.leases, // audit logs
	} {
		look()
	}
	v.logs(p.Logs)
	return suspect.Best(v.suspects())
}

// A view is what all facts are read from, with the facts that were found.
type view struct {
	c *kube.Cluster // empty where there is none
	t *audit.Trail  // empty where there is none
	// objects are the newest of each name, gone ones too; lives counts the objects that had it.
	objects map[key]*kube.Meta
	lives   map[key]int
	apis    map[key]string       // of objects in audit logs
	kinds   []string             // those of the inputs
	named   map[string]string    // kinds by the names of their resources
	audited map[key]bool         // the objects of which audit logs have writes
	clients []key                // who each actor is
	ends    map[string]time.Time // of audit logs
	hooks   map[string]key       // configurations by the names of their webhooks
	read    int                  // messages
	facts   map[sight]*fact
	order   []*fact // in which they were found
	few     bool    // no fact has enough things: the one that comes closest is the suspect
}

func newView(c *kube.Cluster, t *audit.Trail) *view {
	if c.Empty() {
		c = &kube.Cluster{}
	}
	if t.Empty() {
		t = &audit.Trail{}
	}
	v := &view{c: c, t: t, objects: map[key]*kube.Meta{}, lives: map[key]int{}, apis: map[key]string{},
		named: map[string]string{}, audited: map[key]bool{}, ends: map[string]time.Time{}, hooks: map[string]key{},
		facts: map[sight]*fact{}}
	c.Each(v.add)
	for _, o := range c.Others {
		for _, name := range o.Webhooks {
			v.hooks[name] = keyOf(o.Ref)
		}
	}
	for i := range t.Servers {
		for _, p := range t.Servers[i].Paths {
			v.ends[p] = audit.Time(t.Servers[i].Last)
		}
	}
	for i := range t.Actors {
		v.clients = append(v.clients, clientOf(&t.Actors[i]))
	}
	for i := range t.Objects {
		o := &t.Objects[i]
		v.apis[v.written(o)] = strings.Trim(o.Group+"/"+o.Version, "/")
		v.audited[v.written(o)] = len(t.ByObject[i]) >= fewWrites
	}
	return v
}

// add files an object by its name. Of several with one name the one that is there counts, else the youngest.
func (v *view) add(m *kube.Meta) {
	k := keyOf(m.Ref)
	const maxKinds = 1000
	if len(v.kinds) < maxKinds && !slices.Contains(v.kinds, m.Kind) {
		v.kinds = append(v.kinds, m.Kind)
	}
	old := v.objects[k]
	if old == nil || path.Dir(old.API) == path.Dir(m.API) { // other groups have kinds of the same names
		v.lives[k]++
	}
	if old == nil || old.Gone && !m.Gone || old.Gone == m.Gone && m.Created.After(old.Created) {
		v.objects[k] = m
	}
}

// there is the object of that name, nil where the inputs lack it or say that it is gone.
func (v *view) there(k key) *kube.Meta {
	if m := v.objects[k]; m != nil && !m.Gone {
		return m
	}
	return nil
}

// end is when an input ends or was collected, zero where unknown.
func (v *view) end(input string) time.Time {
	for _, at := range []time.Time{v.ends[input], v.c.Taken(input)} {
		if !at.IsZero() {
			return at
		}
	}
	return v.c.Time
}

// workloads are the kinds that make pods.
var workloads = []string{"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob",
	"ReplicationController", "DeploymentConfig"}

// clusterWide reports a kind of objects without a namespace.
func clusterWide(kind string) bool {
	k, _ := kube.KindOf(kind)
	return k.ClusterWide
}

// kindOf is the kind of a resource; a custom one that no object shows keeps its resource's name.
func (v *view) kindOf(resource string) string {
	kind, ok := v.named[resource]
	if !ok {
		o := audit.Object{Resource: resource}
		kind = resource
		if k, known := kube.KindOf(resource); known {
			kind = k.Kind
		} else if i := slices.IndexFunc(v.kinds, o.MayBe); i >= 0 {
			kind = v.kinds[i]
		}
		v.named[resource] = kind
	}
	return kind
}

// written is an object of an audit log as the other inputs call it.
func (v *view) written(o *audit.Object) key {
	return key{cmp.Or(o.Kind, v.kindOf(o.Resource)), o.Namespace, o.Name}
}

// root is the workload that a pod, ReplicaSet or Job belongs to: by its owners, or by its name where the inputs lack
// it. Other objects are their own.
func (v *view) root(k key) key {
	if m := v.objects[k]; m != nil {
		return keyOf(v.c.Top(m))
	}
	if k.kind != "Pod" && k.kind != "ReplicaSet" && k.kind != "Job" {
		return k
	}
	stem := k.name
	for range 2 { // DEPLOYMENT-HASH-RANDOM
		stem = stem[:max(0, strings.LastIndexByte(stem, '-'))]
		for _, kind := range workloads {
			up := key{kind, k.namespace, stem}
			if _, written := v.apis[up]; up != k && (written || v.objects[up] != nil) {
				return v.root(up)
			}
		}
	}
	return k
}

// family is a name without what was made up at its end, and a star: "pull-token-*"; ok is false where all was given.
func family(name string) (stem string, ok bool) {
	const digits, letters = "0123456789", "bcdfghjklmnpqrstvwxz" // those of words that Kubernetes makes up
	i := max(0, strings.LastIndexByte(name, '-'))
	end := name[i:]
	if stem, ok = objectname.Stem(name); !ok {
		stem = name[:i]
		ok = i > 0 && (strings.Trim(end, "-"+digits) == "" ||
			len(end) > 5 && strings.Trim(end, "-"+digits+letters) == "")
	}
	return strings.TrimRight(stem, "-.") + "-*", ok
}

// naming is how messages name objects: a kind and a name in quotes, a quota, an API's group and version.
var naming = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`([A-Za-z]+)[\w.]* "([^"\s]+)"|quota: ([^,\s]+)|` +
		`\b([a-z0-9-]+(?:\.[a-z0-9-]+)+)/(v\d\w*)\b`)
})

// reasons are the objects that a message in a namespace names, the last first: the reason of an error is at its end.
func (v *view) reasons(namespace, message string) (all []key) {
	const most, few = 5000, 4
	if v.read++; message == "" || v.read > most {
		return nil
	}
	for _, m := range naming().FindAllStringSubmatch(message, few) {
		k := key{v.kindOf(strings.ToLower(m[1])), namespace, m[2]}
		switch {
		case m[3] != "":
			k = key{"ResourceQuota", namespace, m[3]}
		case m[5] != "":
			k = key{"APIService", "", m[5] + "." + m[4]}
		case k.kind == "webhook":
			k = v.hooks[k.name]
		case clusterWide(k.kind):
			k.namespace = ""
		}
		// It can be looked at: it is one of the inputs, or may be there where they hold no objects.
		there := v.there(k) != nil || v.c.Empty() && k.name != ""
		_, known := kube.KindOf(k.kind)
		if there && k.kind != "Namespace" && (known || slices.Contains(v.kinds, k.kind)) {
			all = slices.Insert(all, 0, k)
		}
	}
	return all
}

// explain adds what the message of a fact names as the reason.
func (v *view) explain(f *fact, namespace string) {
	if named := v.reasons(namespace, f.message); len(named) > 0 {
		f.via, f.named = named, true
	}
}

package cluster

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/objectname"
)

// A view is what all facts are read from, with the facts that were found.
type view struct {
	c *kube.Cluster // nil where there is none
	t *audit.Trail  // nil where there is none
	// objects are the newest of each name, gone ones too; lives counts the objects that had it.
	objects map[key]*kube.Meta
	lives   map[key]int
	kinds   map[string]int       // of objects that are there
	plurals map[string]string    // kinds by the names of their resources
	apis    map[key]string       // of objects in audit logs
	clients []key                // who each actor is
	ends    map[string]int64     // when each audit log and those beside it end
	taken   map[string]time.Time // when each input was collected
	roots   map[key]key          // of names without an object
	hooks   map[string][]key     // configurations by the names of their webhooks
	read    int                  // messages
	facts   []*fact
}

func newView(c *kube.Cluster, t *audit.Trail) *view {
	v := &view{objects: map[key]*kube.Meta{}, lives: map[key]int{}, kinds: map[string]int{},
		plurals: map[string]string{}, apis: map[key]string{}, taken: map[string]time.Time{}, roots: map[key]key{},
		hooks: map[string][]key{}}
	if !c.Empty() {
		v.c = c
		c.Each(v.add)
		for _, o := range c.Others {
			for _, name := range o.Webhooks {
				v.hooks[name] = addFew(v.hooks[name], keyOf(o.Ref))
			}
		}
	}
	if t.Empty() {
		return v
	}
	v.t, v.ends = t, endsOf(t)
	for i := range t.Actors {
		v.clients = append(v.clients, clientOf(&t.Actors[i]))
	}
	for i := range t.Objects {
		o := &t.Objects[i]
		v.apis[v.written(o)] = strings.Trim(o.Group+"/"+o.Version, "/")
	}
	return v
}

// add files an object by its name. Of several with one name the one that is there counts, else the youngest.
func (v *view) add(m *kube.Meta) {
	k := keyOf(m.Ref)
	if !m.Gone {
		v.kinds[m.Kind]++
	}
	if p := plural(m.Kind); v.plurals[p] == "" {
		v.plurals[p] = m.Kind
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

// asOf is when an input was collected.
func (v *view) asOf(input string) time.Time {
	at, ok := v.taken[input]
	if !ok {
		if at = v.c.Taken(input); at.IsZero() {
			at = v.c.Time
		}
		v.taken[input] = at
	}
	return at
}

// since is how long before the object was looked at something was; 0 where either is unknown.
func (v *view) since(m *kube.Meta, t time.Time) time.Duration {
	if t.IsZero() {
		return 0
	}
	return max(0, v.asOf(m.Input).Sub(t))
}

func (v *view) age(m *kube.Meta) time.Duration { return v.since(m, m.Created) }

// workloads are the kinds that make pods.
var workloads = []string{
	"Deployment", "StatefulSet", "DaemonSet", "ReplicaSet", "Job", "CronJob", "ReplicationController",
	"DeploymentConfig",
}

func isWorkload(kind string) bool { return slices.Contains(workloads, kind) }

// root is what an object belongs to: the workload that its pod is of.
func (v *view) root(k key) key {
	if m := v.objects[k]; m != nil {
		return keyOf(v.c.Top(m))
	}
	r, ok := v.roots[k]
	if !ok {
		r = v.byName(k)
		v.roots[k] = r
	}
	return r
}

// byName reads the workload off the name of a pod, a ReplicaSet or a Job that the inputs lack.
func (v *view) byName(k key) key {
	stem, end := cutName(k.name)
	first := func(name string, kinds ...string) key {
		for _, kind := range kinds {
			up := key{kind, k.namespace, name}
			if _, written := v.apis[up]; written || v.objects[up] != nil {
				return v.root(up)
			}
		}
		return k
	}
	switch {
	case k.kind == "Pod" && isNumber(end):
		return first(stem, "StatefulSet")
	case k.kind == "Pod" && isRandom(end):
		up := first(stem, "ReplicaSet", "Job", "DaemonSet")
		if over, hash := cutName(stem); up == k && isRandom(hash) {
			return first(over, "Deployment")
		}
		return up
	case k.kind == "ReplicaSet" && isRandom(end):
		return first(stem, "Deployment")
	case k.kind == "Job" && isNumber(end):
		return first(stem, "CronJob")
	}
	return k
}

// cutName cuts a name at its last hyphen.
func cutName(name string) (stem, end string) {
	i := max(0, strings.LastIndexByte(name, '-'))
	return name[:i], name[min(i+1, len(name)):]
}

func isNumber(s string) bool { return s != "" && strings.Trim(s, "0123456789") == "" }

// isRandom reports a word of the letters that Kubernetes makes names of (apimachinery, pkg/util/rand), or a hash.
func isRandom(s string) bool {
	return len(s) >= 5 && strings.Trim(s, "bcdfghjklmnpqrstvwxz2456789") == "" ||
		len(s) >= 6 && strings.Trim(s, "0123456789abcdef") == ""
}

// family is a name without what was made up at its end, and a star: "pull-token-*"; the name itself where all was
// given.
func family(name string) string {
	stem, end := cutName(name)
	if given, ok := objectname.Stem(name); ok {
		stem = strings.TrimRight(given, "-.")
	} else if stem == "" || !isNumber(end) && !isRandom(end) {
		return name
	}
	if over, hash := cutName(stem); len(hash) > 5 && isRandom(hash) && over != "" {
		stem = over
	}
	return stem + "-*"
}

// endsOf is when the log that each file of audit events is of ends, or one whose time overlaps with it: another
// server's.
func endsOf(t *audit.Trail) map[string]int64 {
	const most = 64 // servers that are compared
	ends := map[string]int64{}
	for i := range t.Servers {
		s := &t.Servers[i]
		end := s.Last
		for j := range t.Servers[:min(len(t.Servers), most)] {
			if o := &t.Servers[j]; o.First <= s.Last && s.First <= o.Last {
				end = max(end, o.Last)
			}
		}
		for _, p := range s.Paths {
			ends[p] = end
		}
	}
	return ends
}

// written is an object of an audit log as the other inputs call it.
func (v *view) written(o *audit.Object) key {
	return key{cmp.Or(o.Kind, v.kindOf(o.Resource)), o.Namespace, o.Name}
}

// kindOf is the kind of a resource; a custom one that no object shows keeps its resource's name.
func (v *view) kindOf(resource string) string {
	return cmp.Or(v.plurals[resource], builtin()[resource], resource)
}

// builtin are the kinds of Kubernetes' own resources.
var builtin = sync.OnceValue(func() map[string]string {
	kinds := map[string]string{"endpoints": "Endpoints"}
	for _, kind := range append([]string{
		"Pod", "Service", "ConfigMap", "Secret", "Event", "Node", "Namespace", "EndpointSlice", "Ingress",
		"ServiceAccount", "PersistentVolumeClaim", "PersistentVolume", "HorizontalPodAutoscaler", "PodDisruptionBudget",
		"NetworkPolicy", "CustomResourceDefinition", "StorageClass", "APIService", "ValidatingWebhookConfiguration",
		"MutatingWebhookConfiguration", "Lease", "ResourceQuota", "PriorityClass",
	}, workloads...) {
		kinds[plural(kind)] = kind
	}
	return kinds
})

// plural is the resource of a kind.
func plural(kind string) string {
	k := strings.ToLower(kind)
	switch stem, y := strings.CutSuffix(k, "y"); {
	case strings.HasSuffix(k, "endpoints"):
		return k
	case y && strings.TrimRight(stem, "aeo") == stem:
		return stem + "ies"
	case strings.TrimRight(k, "sx") != k, strings.HasSuffix(k, "ch"), strings.HasSuffix(k, "sh"):
		return k + "es"
	}
	return k + "s"
}

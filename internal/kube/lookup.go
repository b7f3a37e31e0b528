package kube

import (
	"path"
	"slices"
	"strings"
)

// Pod is the pod of that name, nil where it is not there.
func (c *Cluster) Pod(namespace, name string) *Pod { return lookup[*Pod](c, "Pod", namespace, name) }

// Workload is what makes pods, by kind and name, nil where it is not there.
func (c *Cluster) Workload(kind, namespace, name string) *Workload {
	return lookup[*Workload](c, kind, namespace, name)
}

// Claim is the PersistentVolumeClaim of that name, nil where it is not there.
func (c *Cluster) Claim(namespace, name string) *Claim {
	return lookup[*Claim](c, "PersistentVolumeClaim", namespace, name)
}

// Node is the node of that name, nil where it is not there.
func (c *Cluster) Node(name string) *Node { return lookup[*Node](c, "Node", "", name) }

// Namespace is the namespace of that name, nil where it is not there.
func (c *Cluster) Namespace(name string) *Namespace {
	return lookup[*Namespace](c, "Namespace", "", name)
}

// Class is the StorageClass of that name, nil where it is not there.
func (c *Cluster) Class(name string) *StorageClass {
	return lookup[*StorageClass](c, "StorageClass", "", name)
}

// Each calls f for all objects but Events, those of a kind in order of namespace and name.
func (c *Cluster) Each(f func(*Meta)) {
	each(c.Pods, f)
	each(c.Workloads, f)
	each(c.Nodes, f)
	each(c.Claims, f)
	each(c.Classes, f)
	each(c.Namespaces, f)
	each(c.Leases, f)
	each(c.Budgets, f)
	each(c.Scalers, f)
	each(c.Services, f)
	each(c.Others, f)
}

func each[T objectRecord](all []T, f func(*Meta)) {
	for _, o := range all {
		f(o.self())
	}
}

func lookup[T objectRecord](c *Cluster, kind, namespace, name string) T {
	v, _ := c.named[kindKey{kind, namespace, name}].(T)
	return v
}

// EventsOf are the events about an object, ordered by their last time. Callers leave the slice as it is.
func (c *Cluster) EventsOf(kind, namespace, name string) []*Event {
	return c.events[kindKey{kind, namespace, name}]
}

// Lists reports whether the inputs hold the whole list of a kind in a namespace ("" for kinds without one).
func (c *Cluster) Lists(kind, namespace string) bool {
	return c.listed[kindKey{kind, namespace, ""}] || c.listed[kindKey{kind, everywhere, ""}]
}

// Top is what to fix when m misbehaves: the workload at the upper end of its controlling owners (the Deployment of a
// pod's ReplicaSet), as far as the inputs hold them; a pod's owner of another kind, but for the node of a static pod;
// m itself where nothing controls it. A ReplicaSet that the inputs lack shows its Deployment by its name,
// DEPLOYMENT-HASH, where the pod's label pod-template-hash, which only Deployments give, has that hash.
func (c *Cluster) Top(m *Meta) Ref {
	ref, owner := m.Ref, m.Owner
	for range 8 {
		if owner.Kind == "" || owner.Kind == "Node" || !slices.Contains(workloads, owner.Kind) && ref.Kind != "Pod" {
			return ref
		}
		ref = owner
		w := c.Workload(owner.Kind, owner.Namespace, owner.Name)
		if w == nil || w.UID != "" && owner.UID != "" && w.UID != owner.UID {
			if name, ok := strings.CutSuffix(ref.Name, "-"+m.TemplateHash); ok && m.TemplateHash != "" &&
				name != "" && ref.Kind == "ReplicaSet" {
				return Ref{API: "apps/v1", Kind: "Deployment", Namespace: ref.Namespace, Name: name}
			}
			return ref
		}
		owner = w.Owner
	}
	return ref
}

// pathParts are the folders and the file's name, without its ending, of a path.
func pathParts(name string) []string {
	parts := strings.Split(name, "/")
	last := parts[len(parts)-1]
	return append(parts, strings.TrimSuffix(last, path.Ext(last)))
}

// HeldBy reports whether a pod is among the holders of a lease: identities begin with the pod's name, which is its host
// name (client-go examples, controller-runtime, kube-controller-manager: HOST_UUID).
func (l *Lease) HeldBy(pod string) bool {
	return pod != "" && slices.ContainsFunc(l.Terms, func(t Term) bool {
		rest, ok := strings.CutPrefix(t.Holder, pod)
		return ok && (rest == "" || rest[0] == '_' || rest[0] == '-')
	})
}

// Find is the condition of that type, nil where there is none.
func Find(all []Condition, typ string) *Condition {
	for i := range all {
		if all[i].Type == typ {
			return &all[i]
		}
	}
	return nil
}

// Selects reports whether labels have all that a selector asks for.
func Selects(selector, labels []Pair) bool {
	return !slices.ContainsFunc(selector, func(want Pair) bool {
		got, ok := Get(labels, want.Name)
		return !ok || got != want.Value
	})
}

// Get is the value of a name.
func Get(all []Pair, name string) (string, bool) {
	for _, p := range all {
		if p.Name == name {
			return p.Value, true
		}
	}
	return "", false
}

// Happened reports whether a field dates what was done at that time, by its name: a CronJob's lastScheduleTime, an
// autoscaler's lastScaleTime.
func Happened(path string) bool {
	path = strings.ToLower(path[strings.LastIndexByte(path, '.')+1:])
	words := []string{
		"schedule", "successful", "lastscale", "lastrun", "lastbackup", "starttime", "completiontime", "lastexecut",
		"lastfired", "lasttrigger", "nextrun", "lastattempt",
	}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(path, word) })
}

// Heartbeat reports whether a field is there to be renewed: by its name, or as an old leader election's lock. The
// status of an operator's object dates the last time that a timer looked after it (External Secrets' refreshTime,
// Argo CD's reconciledAt, KEDA's lastActiveTime, Velero's lastValidationTime).
func Heartbeat(path string) bool {
	path = strings.ToLower(path)
	words := []string{
		"heartbeat", "lastprobe", "renewtime", "lastpoll", "lastseen", "lastcheck", "lastsync", "lastscrape",
		"refreshtime", "lastrefresh", "reconciledat", "lastactive", "lastvalid",
		"control-plane.alpha.kubernetes.io/leader",
	}
	return slices.ContainsFunc(words, func(word string) bool { return strings.Contains(path, word) })
}

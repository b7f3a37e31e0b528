package kube

import (
	"slices"
	"strconv"
	"strings"
	"time"
)

// A textPod is a pod that `kubectl describe` printed. It lacks its UID, its versions and its managers.
type textPod struct {
	*Pod
	lasts  since // of a deletion: how long ago it was, or was to be, gone
	when   time.Time
	newest time.Time     // of all times that it shows
	oldest time.Duration // how long ago the first event of the pod was
	size   int
}

// described takes over what was read of an object: a pod, and the events of any as rows of a table.
func (t *Texts) described(d *description) {
	if len(t.objects) == maxDescribed {
		t.cut++
		return
	}
	kind := d.kind()
	var o *textPod
	if kind == "Pod" {
		p := d.pod()
		o = &textPod{Pod: p, when: t.when, newest: latest(d.newest, p.Created), lasts: d.lasts()}
		o.size = (&object{rec: p, meta: &p.Meta}).size()
		if t.size += o.size; t.size > maxTableBytes {
			t.cut++
			return
		}
		t.objects = append(t.objects, o)
	}
	if kind != "" {
		t.eventsOf(d, kind, o)
	}
}

// afterStart are reasons of events that a kubelet reports of a pod that it has taken up.
var afterStart = []string{
	"FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "FailedPodSandBoxStatus", "Pulling", "Pulled",
	"Created", "Started", "Failed", "BackOff", "Unhealthy", "Killing",
}

// eventsOf takes over the events of a described object. A pod's start and how long ago it was scheduled show when the
// description was printed, at the earliest.
func (t *Texts) eventsOf(d *description, kind string, o *textPod) {
	for _, r := range d.events {
		r.namespace, r.name, r.event.kind, r.when = d.value("Namespace"), d.top["Name"], kind, t.when
		if o != nil && r.age.known {
			if r.event.reason == "Scheduled" && !o.Started.IsZero() {
				o.newest = latest(o.newest, o.Started.Add(r.age.least))
			} else if slices.Contains(afterStart, r.event.reason) && !o.Started.IsZero() {
				o.newest = latest(o.newest, o.Started.Add(r.event.first.least))
			}
			o.oldest = max(o.oldest, r.event.first.least)
		}
		if t.size += r.size; t.size > maxTableBytes {
			t.cut++
			continue
		}
		t.rows = append(t.rows, r)
	}
}

// value is the value of a key, "" for <none> and <unset>.
func (d *description) value(key string) string {
	if v := d.top[key]; v != "<none>" && v != "<unset>" && v != "<nil>" {
		return string(most([]byte(v), maxIdent))
	}
	return ""
}

// kind is the kind of what is described, by the keys that only it has; "" where it shows too little. Objects of kinds
// that kubectl does not know are printed as they are, with their kind.
func (d *description) kind() string {
	has := func(keys ...string) bool {
		return !slices.ContainsFunc(keys, func(k string) bool { _, ok := d.top[k]; return !ok })
	}
	switch {
	case has("Kind", "API Version"):
		return d.value("Kind")
	case has("Node", "Status", "Containers"), has("Node", "QoS Class"):
		return "Pod"
	case has("Roles", "Unschedulable"), has("Roles", "System Info"):
		return "Node"
	case has("StrategyType"):
		return "Deployment"
	case has("Replicas", "Update Strategy"), has("Replicas", "Volume Claims"):
		return "StatefulSet"
	case has("Desired Number of Nodes Scheduled"):
		return "DaemonSet"
	case has("Replicas", "Pods Status", "Pod Template"):
		return "ReplicaSet"
	case has("Schedule", "Concurrency Policy"):
		return "CronJob"
	case has("Parallelism", "Pods Statuses"), has("Parallelism", "Completions"):
		return "Job"
	case has("StorageClass", "Volume", "Status", "Namespace"):
		return "PersistentVolumeClaim"
	case has("Status", "Labels") && !has("Namespace") &&
		(d.top["Status"] == "Active" || d.top["Status"] == "Terminating"):
		return "Namespace"
	}
	return ""
}

// lasts is how long ago a deletion was to be over: "Terminating (lasts 3m)".
func (d *description) lasts() since {
	_, age, _ := strings.Cut(d.top["Status"], "Terminating (lasts ")
	return parseAge(strings.TrimSuffix(age, ")"))
}

func (d *description) pod() *Pod {
	m := Meta{Ref: Ref{API: "v1", Kind: "Pod", Namespace: d.value("Namespace"), Name: d.top["Name"]}, At: d.at,
		Conditions: d.conditions}
	m.Created, _ = describedTime(d.top["Start Time"])
	if owner, name, ok := strings.Cut(d.value("Controlled By"), "/"); ok && isName(name) {
		m.Owner = Ref{API: apiOf(owner), Kind: owner, Namespace: m.Namespace, Name: name}
	}
	m.TemplateHash, _ = Get(d.labels, "pod-template-hash")
	m.Grace, _ = strconv.ParseInt(strings.TrimSuffix(d.value("Termination Grace Period"), "s"), 10, 64)
	m.Written = latest(m.Created, d.newest)
	p := &Pod{Meta: m, Reason: d.value("Reason"), Message: d.top["Message"], Started: m.Created,
		Containers: d.containers, Claims: d.claims, NodeSelector: d.selector, Labels: d.labels}
	p.Node, _, _ = strings.Cut(d.value("Node"), "/")
	p.Phase, _, _ = strings.Cut(d.top["Status"], " ")
	if p.Phase == "Terminating" {
		p.Phase = "Running" // describe prints the phase of pods that ended
	}
	return p
}

package kube

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A textObject is an object that `kubectl describe` printed. It lacks its UID, its versions and its managers.
type textObject struct {
	rec    described
	lasts  since // of a deletion: how long ago it was, or was to be, gone
	when   time.Time
	newest time.Time     // of all times that it shows
	oldest time.Duration // how long ago the first event of a pod was
	size   int
}

// described takes over what was read of an object, with its events as rows of a table.
func (t *Texts) described(d *description) {
	if len(t.objects) == maxDescribed {
		t.cut++
		return
	}
	kind := d.kind()
	if kind == "" {
		return
	}
	m := d.meta(kind)
	o := textObject{when: t.when, newest: latest(d.newest, m.Created), lasts: d.lasts()}
	switch kind {
	case "Pod":
		o.rec = d.pod(m)
	case "Node":
		o.rec = d.node(m)
	case "PersistentVolumeClaim":
		status, _, _ := strings.Cut(d.top["Status"], " ")
		o.rec = &Claim{Meta: m, Phase: status, Volume: d.value("Volume"), Class: d.value("StorageClass")}
	case "Namespace":
		o.rec = &Namespace{Meta: m, Phase: d.top["Status"]}
	default:
		if slices.Contains(workloads, kind) {
			o.rec = d.workload(m)
		} else {
			o.rec = &Other{Meta: m}
		}
	}
	o.size = (&object{rec: o.rec, meta: o.rec.self()}).size()
	if t.size += o.size; t.size > maxTableBytes {
		t.cut++
		return
	}
	t.objects = append(t.objects, o)
	t.eventsOf(d, kind, m.Namespace, m.Name, o.rec)
}

// afterStart are reasons of events that a kubelet reports of a pod that it has taken up.
var afterStart = []string{
	"FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "FailedPodSandBoxStatus", "Pulling", "Pulled",
	"Created", "Started", "Failed", "BackOff", "Unhealthy", "Killing",
}

// eventsOf takes over the events of a described object. A pod's start and how long ago it was scheduled show when the
// description was printed, at the earliest.
func (t *Texts) eventsOf(d *description, kind, namespace, name string, rec described) {
	o := &t.objects[len(t.objects)-1]
	for _, r := range d.events {
		r.namespace, r.name, r.event.kind, r.when = namespace, name, kind, t.when
		if kind == "Node" {
			r.namespace = ""
		}
		if p, ok := rec.(*Pod); ok && r.age.known {
			if r.event.reason == "Scheduled" && !p.Started.IsZero() {
				o.newest = latest(o.newest, p.Started.Add(r.age.least))
			} else if slices.Contains(afterStart, r.event.reason) && !p.Started.IsZero() {
				o.newest = latest(o.newest, p.Started.Add(r.event.first.least))
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

func (d *description) meta(kind string) Meta {
	m := Meta{Ref: Ref{API: cmp.Or(d.value("API Version"), apis[kind], "v1"), Kind: kind,
		Namespace: d.value("Namespace"), Name: d.top["Name"], UID: d.value("UID")}, At: d.at, Finalizers: d.finalizers}
	for _, key := range []string{"CreationTimestamp", "Creation Timestamp", "Start Time"} {
		if when, ok := describedTime(d.top[key]); ok {
			m.Created = when
			break
		}
	}
	if owner, name, ok := strings.Cut(d.value("Controlled By"), "/"); ok && isName(name) {
		m.Owner = Ref{API: cmp.Or(apis[owner], "v1"), Kind: owner, Namespace: m.Namespace, Name: name}
	}
	m.TemplateHash, _ = Get(d.labels, "pod-template-hash")
	m.Generation, _ = strconv.ParseInt(d.value("Generation"), 10, 64)
	m.ResourceVersion = d.value("Resource Version")
	if when, ok := describedTime(d.top["Deletion Timestamp"]); ok {
		m.Deleted = when
	}
	m.Grace, _ = strconv.ParseInt(strings.TrimSuffix(d.value("Termination Grace Period"), "s"), 10, 64)
	m.Written = latest(m.Created, d.newest)
	return m
}

// lasts is how long ago a deletion was to be over: "Terminating (lasts 3m)".
func (d *description) lasts() since {
	_, age, _ := strings.Cut(d.top["Status"], "Terminating (lasts ")
	return parseAge(strings.TrimSuffix(age, ")"))
}

func (d *description) pod(m Meta) *Pod {
	m.Conditions = d.conditions
	p := &Pod{Meta: m, Reason: d.value("Reason"), Message: d.top["Message"],
		Containers: d.containers, Claims: d.claims, NodeSelector: d.selector, Labels: d.labels}
	p.Node, _, _ = strings.Cut(d.value("Node"), "/")
	p.Started, _ = describedTime(d.top["Start Time"])
	p.Phase, _, _ = strings.Cut(d.top["Status"], " ")
	if p.Phase == "Terminating" {
		p.Phase = "Running" // describe prints the phase of pods that ended
	}
	return p
}

func (d *description) node(m Meta) *Node {
	m.Conditions = d.conditions
	return &Node{Meta: m, Labels: d.labels, Allocatable: d.allocatable,
		Unschedulable: d.top["Unschedulable"] == "true", Kubelet: d.value("Kubelet Version")}
}

// workload reads how many replicas are wanted and there: "3 desired | 3 updated | 3 total | 2 available", "3 current /
// 3 desired", "3 desired | 3 total", "Desired Number of Nodes Scheduled: 5", "2 Running / 1 Waiting / …".
func (d *description) workload(m Meta) *Workload {
	w := &Workload{Meta: m, Replicas: -1}
	for part := range strings.FieldsFuncSeq(d.top["Replicas"], func(r rune) bool { return r == '|' || r == '/' }) {
		count, what, _ := strings.Cut(strings.TrimSpace(part), " ")
		n, err := strconv.ParseInt(count, 10, 32)
		switch {
		case err != nil:
		case what == "desired":
			w.Replicas = n
		case what == "available":
			w.Ready = n
		}
	}
	if n, err := strconv.ParseInt(d.top["Desired Number of Nodes Scheduled"], 10, 32); err == nil {
		w.Replicas = n
	}
	if !strings.Contains(d.top["Replicas"], "available") {
		running, _, _ := strings.Cut(cmp.Or(d.top["Pods Status"], d.top["Pods Statuses"]), " ")
		w.Ready, _ = strconv.ParseInt(running, 10, 32)
	}
	return w
}

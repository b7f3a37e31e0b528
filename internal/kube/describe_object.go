package kube

import (
	"slices"
	"strconv"
	"strings"
)

// described takes over what was read of an object: a pod, and the events of any.
func (t *Texts) described(d *description) {
	if len(t.printed) >= maxDescribed {
		t.cut++
		return
	}
	kind := d.kind()
	p := printedRow{described: true}
	if kind == "Pod" {
		pod := d.pod()
		p.rec, p.newest, p.lasts = pod, latest(d.newest, pod.Created), d.lasts()
		p.size = (&object{rec: pod, meta: &pod.Meta}).size()
	}
	if kind != "" {
		t.eventsOf(d, kind, &p)
	}
	if p.rec != nil {
		t.keep(p)
	}
}

// afterStart are reasons of events that a kubelet reports of a pod that it has taken up.
var afterStart = []string{
	"FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "FailedPodSandBoxStatus", "Pulling", "Pulled",
	"Created", "Started", "Failed", "BackOff", "Unhealthy", "Killing",
}

// eventsOf takes over the events of a described object. A pod's start and how long ago it was scheduled show when the
// description was printed, at the earliest.
func (t *Texts) eventsOf(d *description, kind string, p *printedRow) {
	pod, _ := p.rec.(*Pod)
	for _, e := range d.events {
		e.event.Object = Ref{Kind: kind, Namespace: d.value("Namespace"), Name: d.top["Name"]}
		if pod != nil && e.age.known {
			p.oldest = max(p.oldest, e.first.least)
			switch reason := e.event.Reason; {
			case pod.Started.IsZero():
			case reason == "Scheduled":
				p.newest = latest(p.newest, pod.Started.Add(e.age.least))
			case slices.Contains(afterStart, reason):
				p.newest = latest(p.newest, pod.Started.Add(e.first.least))
			}
		}
		t.keep(e)
	}
}

// value is the value of a key, "" for <none> and <unset>.
func (d *description) value(key string) string {
	if v := d.top[key]; v != "<none>" && v != "<unset>" && v != "<nil>" {
		return string(most([]byte(v), maxIdent))
	}
	return ""
}

// describedKinds are kinds with keys that only their descriptions have.
var describedKinds = []struct{ kind, keys string }{
	{"Pod", "Node,Status,Containers"}, {"Pod", "Node,QoS Class"}, {"Node", "Roles,Unschedulable"},
	{"Node", "Roles,System Info"}, {"Deployment", "StrategyType"}, {"StatefulSet", "Replicas,Update Strategy"},
	{"StatefulSet", "Replicas,Volume Claims"}, {"DaemonSet", "Desired Number of Nodes Scheduled"},
	{"ReplicaSet", "Replicas,Pods Status,Pod Template"}, {"CronJob", "Schedule,Concurrency Policy"},
	{"Job", "Parallelism,Pods Statuses"}, {"Job", "Parallelism,Completions"},
	{"PersistentVolumeClaim", "StorageClass,Volume,Status,Namespace"},
}

// kind is the kind of what is described; "" where it shows too little. Objects of kinds that kubectl does not know are
// printed as they are, with their kind.
func (d *description) kind() string {
	lacks := func(key string) bool { _, has := d.top[key]; return !has }
	if !lacks("Kind") && !lacks("API Version") {
		return d.value("Kind")
	}
	for _, k := range describedKinds {
		if !slices.ContainsFunc(strings.Split(k.keys, ","), lacks) {
			return k.kind
		}
	}
	if s := d.top["Status"]; lacks("Namespace") && !lacks("Labels") && (s == "Active" || s == "Terminating") {
		return "Namespace"
	}
	return ""
}

// lasts is how long ago a deletion was to be over: "Terminating (lasts 3m)".
func (d *description) lasts() roundedAge {
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
	if m.Owner.Kind == "ReplicaSet" && m.TemplateHash == "" {
		m.TemplateHash, _ = templateHash(m.Owner.Name)
	}
	m.Grace, _ = strconv.ParseInt(strings.TrimSuffix(d.value("Termination Grace Period"), "s"), 10, 64)
	m.Written = latest(m.Created, d.newest)
	p := &Pod{Meta: m, Reason: d.value("Reason"), Message: d.top["Message"], Started: m.Created,
		Containers: d.containers, Claims: d.claims, NodeSelector: d.selector}
	p.Labels = d.labels
	p.Node, _, _ = strings.Cut(d.value("Node"), "/")
	p.Phase, _, _ = strings.Cut(d.top["Status"], " ")
	if p.Phase == "Terminating" {
		p.Phase = "Running" // describe prints the phase of pods that ended
	}
	return p
}

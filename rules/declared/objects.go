package declared

import (
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/parsed"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// ObjectEnv is what a condition sees of a Kubernetes object. Minutes are counted up to when the object was collected.
type ObjectEnv struct {
	Object      string            `expr:"object"` // "Certificate shop/web"
	Kind        string            `expr:"kind"`
	API         string            `expr:"api"` // "cert-manager.io/v1"
	Namespace   string            `expr:"namespace"`
	Name        string            `expr:"name"`
	Labels      map[string]string `expr:"labels"`
	Annotations map[string]string `expr:"annotations"` // values up to 1,024 bytes
	Owner       string            `expr:"owner"`       // "Deployment shop/web", "" for none
	Finalizers  []string          `expr:"finalizers"`
	Deleting    bool              `expr:"deleting"` // it has a deletion timestamp
	Age         int               `expr:"age"`      // minutes since it was created
	// Minutes have passed since the newest transition of the conditions that the rule names, of any where it names
	// none; since it was created where it has none of them.
	Minutes    int                     `expr:"minutes"`
	Phase      string                  `expr:"phase"`      // of its status
	Conditions map[string]ConditionEnv `expr:"conditions"` // by type
	Events     []EventEnv              `expr:"events"`     // about it
	// Reason, Message, Node, Restarts and Containers are of pods.
	Reason     string         `expr:"reason"`
	Message    string         `expr:"message"`
	Node       string         `expr:"node"`
	Restarts   int            `expr:"restarts"` // of all containers
	Containers []ContainerEnv `expr:"containers"`
	// Replicas and Ready are of workloads: how many pods it wants, and how many are ready.
	Replicas int `expr:"replicas"`
	Ready    int `expr:"ready"`
}

// ConditionEnv is a condition of an object's status.
type ConditionEnv struct {
	Status  string `expr:"status"` // True, False, Unknown; "" where the object has no such condition
	Reason  string `expr:"reason"`
	Message string `expr:"message"`
	Minutes int    `expr:"minutes"` // since its last transition
}

// EventEnv is an Event about an object.
type EventEnv struct {
	Type    string `expr:"type"` // Normal, Warning
	Reason  string `expr:"reason"`
	Message string `expr:"message"`
	Count   int    `expr:"count"`
	Minutes int    `expr:"minutes"` // since it last happened
}

// ContainerEnv is a container of a pod.
type ContainerEnv struct {
	Name     string `expr:"name"`
	Image    string `expr:"image"`
	Init     bool   `expr:"init"`
	Restarts int    `expr:"restarts"`
	Waiting  string `expr:"waiting"` // why it does not run: CrashLoopBackOff, ImagePullBackOff
	Message  string `expr:"message"` // of waiting, or of the last end
	Ended    bool   `expr:"ended"`   // it has ended, and does not run
	Reason   string `expr:"reason"`  // of its last end: OOMKilled, Error, Completed
	Exit     int    `expr:"exit"`    // code of its last end
}

// seeObjects finds objects of the rule's kind, those of one owner as one finding.
func seeObjects(c *declared, p *rules.Pass, found func(sight)) {
	cluster, kind := parsed.Cluster(p), c.def.Objects.Kind
	if k, ok := kube.KindOf(kind); ok {
		kind = k.Kind
	}
	taken := map[string]time.Time{}
	cluster.Each(func(m *kube.Meta) {
		if m.Gone || kind != "" && !strings.EqualFold(m.Kind, kind) {
			return
		}
		if _, ok := taken[m.Input]; !ok {
			taken[m.Input] = cluster.Taken(m.Input)
			if taken[m.Input].IsZero() {
				taken[m.Input] = cluster.Time
			}
		}
		env := objectEnv(cluster, m, taken[m.Input], c.types)
		if !c.when.holds(env) {
			return
		}
		o, top := objectOf(m.Ref), objectOf(cluster.Top(m))
		s := sight{group: top.API + " " + top.Text(), count: 1, minutes: env.Minutes, env: env, owner: top,
			finding: rules.Finding{Object: o, Next: rules.Commands(o.Kubectl("describe", ""))}}
		if m.Kind == "Pod" {
			s.target = rules.Target{Namespace: m.Namespace, Pod: m.Name, Node: env.Node}
		}
		s.evidence = func() rules.Evidence {
			return rules.Evidence{Input: m.Input, Line: m.Line, Time: phrase.Time(m.Written), Text: env.text(),
				Count: 1}
		}
		found(s)
	})
}

func objectOf(r kube.Ref) *rules.Object {
	return &rules.Object{API: r.API, Kind: r.Kind, Namespace: r.Namespace, Name: r.Name}
}

// text shows the state of the object: its phase and the conditions and containers that explain it.
func (e *ObjectEnv) text() string {
	parts := []string{e.Object}
	add := func(words ...string) {
		if s := strings.Join(strings.Fields(strings.Join(words, " ")), " "); s != "" {
			parts = append(parts, s)
		}
	}
	add(e.Phase, e.Reason, e.Message)
	for _, typ := range sortedKeys(e.Conditions) {
		k := e.Conditions[typ]
		add(typ+"="+k.Status, k.Reason, k.Message)
	}
	for _, k := range e.Containers {
		if k.Waiting != "" || k.Ended || k.Reason != "" {
			add("container", k.Name, k.Waiting, k.Reason, k.Message)
		}
	}
	return phrase.Cut(strings.Map(printable, strings.Join(parts, ", ")), maxText)
}

// objectEnv is what conditions see of an object that was collected at a time, zero where that is unknown.
func objectEnv(c *kube.Cluster, m *kube.Meta, now time.Time, types []string) *ObjectEnv {
	since := func(t time.Time) int {
		if t.IsZero() || now.Before(t) {
			return 0
		}
		return int(now.Sub(t) / time.Minute)
	}
	e := &ObjectEnv{
		Object: objectOf(m.Ref).Text(), Kind: m.Kind, API: m.API, Namespace: m.Namespace, Name: m.Name,
		Labels: pairs(m.Labels), Annotations: pairs(m.Annotations), Finalizers: m.Finalizers,
		Deleting: !m.Deleted.IsZero(), Age: since(m.Created), Phase: m.Phase,
		Conditions: make(map[string]ConditionEnv, len(m.Conditions)),
	}
	if m.Owner.Kind != "" {
		e.Owner = objectOf(c.Top(m)).Text()
	}
	changed := m.Created
	for _, k := range m.Conditions {
		if k.Since.After(changed) && (len(types) == 0 || slices.Contains(types, k.Type)) {
			changed = k.Since
		}
		e.Conditions[k.Type] = ConditionEnv{k.Status, k.Reason, k.Message, since(k.Since)}
	}
	e.Minutes = since(changed)
	for _, v := range c.EventsOf(m.Kind, m.Namespace, m.Name) {
		e.Events = append(e.Events, EventEnv{v.Type, v.Reason, v.Message, v.Count, since(v.Last)})
	}
	if w := c.Workload(m.Kind, m.Namespace, m.Name); w != nil && &w.Meta == m {
		e.Replicas, e.Ready = int(max(w.Replicas, 0)), int(w.Ready)
	}
	if p := c.Pod(m.Namespace, m.Name); p != nil && &p.Meta == m {
		e.Reason, e.Message, e.Node = p.Reason, p.Message, p.Node
		for i := range p.Containers {
			e.Containers = append(e.Containers, containerEnv(&p.Containers[i]))
			e.Restarts += p.Containers[i].Restarts
		}
	}
	return e
}

func containerEnv(k *kube.Container) ContainerEnv {
	e := ContainerEnv{Name: k.Name, Image: k.Image, Init: k.Init, Restarts: k.Restarts, Waiting: k.Waiting,
		Message: k.WaitingMessage, Ended: k.Now != nil}
	end := k.Now
	if end == nil {
		end = k.Last
	}
	if end != nil {
		e.Reason, e.Exit = end.Reason, end.Exit
		if e.Message == "" {
			e.Message = end.Message
		}
	}
	return e
}

func pairs(all []kube.Pair) map[string]string {
	m := make(map[string]string, len(all))
	for _, p := range all {
		m[p.Name] = p.Value
	}
	return m
}

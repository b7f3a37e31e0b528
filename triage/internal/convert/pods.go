package convert

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/internal/pods"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/schema"
)

// A podKey is one container of a pod.
type podKey struct{ namespace, pod, container string }

// A podTable is the rows of Pods while they are made.
type podTable struct {
	rows   map[podKey]*schema.Pod
	known  map[podKey]bool   // pods, without their containers, that the inputs name
	inputs map[string]podKey // the container that an input is of
	pods   map[podKey]*kube.Pod
	c      *kube.Cluster // nil where there are no objects
}

// Pods lists the containers that have something to report, worst first, and how many there are; nil where the inputs
// name fewer than two pods.
func Pods(r *schema.Report, c *kube.Cluster) (all []schema.Pod, total int) {
	t := podTable{
		map[podKey]*schema.Pod{}, map[podKey]bool{}, map[string]podKey{}, map[podKey]*kube.Pod{}, c,
	}
	for _, in := range r.Inputs {
		if in.Pod != "" {
			t.known[podKey{in.Namespace, in.Pod, ""}] = true
			t.inputs[in.Path] = podKey{in.Namespace, in.Pod, in.Container}
		}
	}
	t.addObjects()
	for i := range r.Findings {
		for _, k := range t.about(&r.Findings[i]) {
			t.accuse(k, &r.Findings[i])
		}
	}
	if len(t.known) < 2 {
		return nil, 0
	}
	for _, p := range t.rows {
		all = append(all, *p)
	}
	slices.SortFunc(all, comparePods)
	return all[:min(len(all), schema.MaxPodRows)], len(all)
}

// comparePods puts the worst first: by the finding, then what does not run, then what restarts most.
func comparePods(a, b schema.Pod) int {
	number := func(holds bool) int {
		if holds {
			return 1
		}
		return 0
	}
	return cmp.Or(
		cmp.Compare(number(b.Alarm()), number(a.Alarm())), cmp.Compare(b.Severity.Rank(), a.Severity.Rank()),
		cmp.Compare(number(b.Down), number(a.Down)),
		cmp.Compare(b.Restarts, a.Restarts), cmp.Compare(b.Findings, a.Findings),
		strings.Compare(a.Namespace, b.Namespace), strings.Compare(a.Pod, b.Pod),
		strings.Compare(a.Container, b.Container),
	)
}

// addObjects adds the containers that restarted or do not run, as the pods' objects show them.
func (t *podTable) addObjects() {
	if t.c == nil {
		return
	}
	for _, p := range t.c.Pods {
		k := podKey{p.Namespace, p.Name, ""}
		t.known[k], t.pods[k] = true, p
		if p.Gone {
			continue
		}
		if p.Phase == "Failed" && len(p.Containers) == 0 || p.Reason != "" {
			row := t.row(k)
			row.State, row.Down = cmp.Or(p.Reason, p.Phase), true
			continue
		}
		for i := range p.Containers {
			ct := &p.Containers[i]
			if _, down := stateOf(ct); down || ct.Restarts > 0 {
				t.row(podKey{p.Namespace, p.Name, ct.Name})
			}
		}
	}
}

// stateOf is a container's state as schema.Pod has it.
func stateOf(ct *kube.Container) (state string, down bool) {
	switch {
	case ct.Waiting != "" && ct.Waiting != "PodInitializing" && ct.Waiting != "ContainerCreating":
		return ct.Waiting, true
	case ct.Now != nil && ct.Now.Exit != 0:
		return cmp.Or(ct.Now.Reason, "Error"), true
	case ct.Last != nil:
		return cmp.Or(ct.Last.Reason, "Error"), false
	}
	return "", false
}

// row is the row of a container, a new one where there is none yet.
func (t *podTable) row(k podKey) *schema.Pod {
	if p := t.rows[k]; p != nil {
		return p
	}
	row := &schema.Pod{Namespace: k.namespace, Pod: k.pod, Container: k.container, Restarts: -1}
	if p := t.pods[podKey{k.namespace, k.pod, ""}]; p != nil {
		row.Node, row.Restarts = p.Node, 0
		for i := range p.Containers {
			if ct := &p.Containers[i]; ct.Name == k.container {
				row.Restarts = ct.Restarts
				row.State, row.Down = stateOf(ct)
			}
		}
	}
	row.Workload = pods.WorkloadOf(k.pod, k.container, row.Node, false).Name
	t.rows[k] = row
	return row
}

// about are the containers that a finding is about: those that show it, the pods that it names, the restarting ones of
// the workload that it names, else those that its evidence is of.
func (t *podTable) about(f *rules.Finding) []podKey {
	var all []podKey
	add := func(k podKey) {
		if k.pod != "" && !slices.Contains(all, k) && len(all) < schema.MaxPodRows {
			all = append(all, k)
		}
	}
	for _, p := range f.Pods {
		add(podKey{p.Namespace, p.Pod, p.Container})
	}
	if f.Object != nil {
		for _, o := range append([]rules.Object{*f.Object}, f.Objects...) {
			if o.Kind == "Pod" {
				add(t.container(podKey{o.Namespace, o.Name, ""}))
			}
		}
		if len(all) == 0 && f.Category != rules.HotLoop {
			for _, k := range slices.SortedFunc(maps.Keys(t.rows), compareKeys) {
				if t.ofWorkload(k, f.Object) {
					add(k)
				}
			}
		}
	}
	if len(all) == 0 {
		for _, e := range f.Evidence {
			add(t.inputs[e.Input])
		}
	}
	return all
}

func compareKeys(a, b podKey) int {
	return cmp.Or(strings.Compare(a.namespace, b.namespace), strings.Compare(a.pod, b.pod),
		strings.Compare(a.container, b.container))
}

// container names the container of a pod that has one row.
func (t *podTable) container(k podKey) podKey {
	found := k
	for other := range t.rows {
		if other.namespace == k.namespace && other.pod == k.pod && other != k {
			if found != k {
				return k
			}
			found = other
		}
	}
	return found
}

// ofWorkload reports whether a container's pod is of a workload in the end, as the objects show it.
func (t *podTable) ofWorkload(k podKey, o *rules.Object) bool {
	p := t.pods[podKey{k.namespace, k.pod, ""}]
	if p == nil || k.namespace != o.Namespace {
		return false
	}
	top := t.c.Top(&p.Meta)
	return top.Kind == o.Kind && top.Name == o.Name
}

// accuse notes a finding about a container; they come as the leads rank them.
func (t *podTable) accuse(k podKey, f *rules.Finding) {
	p := t.row(k)
	t.known[podKey{k.namespace, k.pod, ""}] = true
	if p.Findings++; p.Findings == 1 {
		p.Rule, p.Name, p.Title, p.Severity, p.Confidence = f.Rule, f.Name, f.Title, f.Severity, f.Confidence
	}
}

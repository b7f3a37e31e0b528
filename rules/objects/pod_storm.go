package objects

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// Thresholds of a storm of pods. The real one replaced about 1,000 pods in 7 minutes (Pinniped's certificate agent),
// its reproduction here 440 in 45 seconds. A Deployment whose node is full for a while leaves a handful.
const (
	stormPods   = 20
	stormWindow = 10 * time.Minute
	// stormHundreds is when it goes on by the hundred: the garbage collector of pods begins at 12,500
	// (--terminated-pod-gc-threshold).
	stormHundreds = 100
	// stormOver is how long after its last pod a storm is a thing of the past.
	stormOver = 24 * time.Hour

	// evicted is the reason of pods that ran until their node was short of a resource; all others never started.
	evicted = "Evicted"
)

func runPodStorm(p *rules.Pass) []rules.Finding {
	found := stormsOfPods(p.Cluster)
	return append(found, stormsOfEvents(p.Cluster, found)...)
}

// A storm is the failed pods of one controller with one reason.
type storm struct {
	owner  kube.Ref
	reason string
	pods   []*kube.Pod // ordered by creation
	peak   int         // most created within stormWindow
}

// stormsOfPods counts the pods that are there.
func stormsOfPods(c *kube.Cluster) []rules.Finding {
	type key struct{ kind, namespace, name, uid, reason string }
	index := map[key]*storm{}
	var all []*storm
	for _, p := range c.Pods {
		owner, ok := stormOwner(p)
		if !ok {
			continue
		}
		k := key{owner.Kind, p.Namespace, owner.Name, owner.UID, p.Reason}
		s := index[k]
		if s == nil {
			s = &storm{owner: owner, reason: p.Reason}
			index[k] = s
			all = append(all, s)
		}
		s.pods = append(s.pods, p)
	}
	events := map[string][]*kube.Event{}
	for _, e := range c.Events {
		if e.Object.Kind == "Pod" {
			events[e.Reason] = append(events[e.Reason], e)
		}
	}
	var found []rules.Finding
	for _, s := range all {
		if len(s.pods) < stormPods {
			continue
		}
		slices.SortStableFunc(s.pods, func(a, b *kube.Pod) int { return a.Created.Compare(b.Created) })
		if s.peak = peak(s.pods); s.peak >= stormPods && s.replaced(c) {
			found = append(found, s.finding(c, events[s.reason]))
		}
	}
	return found
}

// stormOwner is what made a pod that failed before it ran: its controller, or the name that it was generated from. Jobs
// make pods that fail for reasons of their own; only a kubelet's word counts there.
func stormOwner(p *kube.Pod) (kube.Ref, bool) {
	switch {
	case p.Phase != "Failed" || p.Reason == "" || p.Created.IsZero() || p.Owner.Kind == "Node":
		return kube.Ref{}, false
	case p.Owner.Kind == "Job":
		return p.Owner, rejection(p.Reason)
	case p.Owner.Kind == "" && p.GenerateName != "":
		return kube.Ref{API: "v1", Kind: "Pod", Namespace: p.Namespace, Name: strings.TrimSuffix(p.GenerateName, "-")},
			true
	}
	return p.Owner, p.Owner.Kind != ""
}

// peak is the most pods that were created within stormWindow.
func peak(pods []*kube.Pod) int {
	most, from := 0, 0
	for i, p := range pods {
		for p.Created.Sub(pods[from].Created) > stormWindow {
			from++
		}
		most = max(most, i-from+1)
	}
	return most
}

// replaced reports whether the pods follow one another, and did not fail together: 30 replicas that were made at once
// are evicted at once hours later, or rejected at once by a kubelet that restarts. Pods of a storm fail as soon as they
// are made, and where the scheduler placed them there are more of them than were ever wanted.
func (s *storm) replaced(c *kube.Cluster) bool {
	old := 0
	for _, p := range s.pods {
		if p.Written.Sub(p.Created) > stormWindow {
			old++
		}
	}
	if 2*old > len(s.pods) {
		return false
	}
	own := c.Workload(s.owner.Kind, s.owner.Namespace, s.owner.Name)
	if own == nil || own.NodeName != "" || s.reason != evicted && s.bypassed(c) {
		return true
	}
	return int64(len(s.pods)) >= 2*max(own.Replicas, 1)
}

// finding accuses what makes the pods; events are those with the storm's reason.
func (s *storm) finding(c *kube.Cluster, events []*kube.Event) rules.Finding {
	first, last := s.pods[0], s.pods[len(s.pods)-1]
	top := c.Top(&first.Meta)
	if first.Owner.Kind == "" {
		top = s.owner
	}
	n := len(s.pods)
	f := rules.Finding{
		Category: rules.PodStorm, Severity: rules.High, Confidence: rules.ConfHigh, Object: objectOf(top), Actors: []string{}, Count: n,
		FirstSeen: kubeTime(first.Created), LastSeen: kubeTime(last.Created),
	}
	if n >= stormHundreds {
		f.Severity = rules.Critical
	}
	over := c.Time.Sub(last.Created)
	if over > stormOver {
		f.Severity = rules.Medium
	}
	why := s.cause(c, top)
	act := fmt.Sprintf("has %s pods rejected with %s", phrase.Thousands(int64(n)), s.reason)
	if s.reason == evicted {
		act = fmt.Sprintf("has %s pods evicted and replaced", phrase.Thousands(int64(n)))
	}
	f.Title = kubeTitle(top, act+why.title, act)
	f.Why = fmt.Sprintf("%s pods of %s failed with %s, created within %s (%s within 10 minutes at the worst). %s",
		phrase.Thousands(int64(n)), kindName(s.owner), s.reason, phrase.Spell(last.Created.Sub(first.Created)),
		phrase.Thousands(int64(s.peak)), why.text)
	f.Fix = why.fix
	f.Evidence = append([]rules.Evidence{
		kubeEvidence(first.At, first.Created, n, "first of %s: %s: %s: %s", phrase.Counted(n, "pod"), first.Name, first.Reason,
			first.Message),
		kubeEvidence(last.At, last.Created, 1, "last: %s on node %s: %s: %s", last.Name, cmp.Or(last.Node, "(none)"),
			last.Reason, last.Message),
	}, why.evidence...)
	if e := stormEvents(s, events); e.Count > 0 && e.Count < n {
		f.Evidence = append(f.Evidence, e)
	}
	switch {
	case over > stormOver:
		f.Notes = append(f.Notes, "It is over: the last such pod was created "+ago(c, last.Created)+".")
	case over >= 0 && over <= stormWindow && !c.Bundle.Created.IsZero():
		f.Notes = append(f.Notes, "It goes on: the last such pod was created "+ago(c, last.Created)+".")
	}
	if top == s.owner && s.owner.Kind == "ReplicaSet" {
		f.Notes = append(f.Notes, "The inputs do not hold the ReplicaSet, so its Deployment is not known.")
	}
	f.Notes = append(f.Notes, "The number is a lower bound: pods that were already collected are not counted."+
		notKept(c, "Pod"))
	f.Next = stormNext(top)
	return f
}

// stormNext are the steps that show who bypasses the scheduler, end the storm and clean up behind it.
func stormNext(top kube.Ref) []rules.Step {
	return []rules.Step{
		rules.Command(kubectlOn(top, "get",
			"-o jsonpath='{.spec.template.spec.nodeName}{\"\\n\"}{.spec.template.spec.nodeSelector}{\"\\n\"}'")),
		{
			Command: kubectlOn(top, "scale", "--replicas=0"),
			Comment: "stops it until the template is fixed", Changes: true,
		},
		{
			Command: kubectlIn(top.Namespace, "delete pods --field-selector=status.phase=Failed"),
			Comment: "removes the failed pods, once it is stopped", Changes: true,
		},
	}
}

// notKept reports how many objects of a kind were read and not kept; "" for none.
func notKept(c *kube.Cluster, kind string) string {
	n := 0
	for _, cut := range c.Cut {
		if cut.Kind == kind {
			n += cut.Count
		}
	}
	if n == 0 {
		return ""
	}
	return " " + phrase.Thousands(int64(n)) + " more were read and not kept, or not read in whole."
}

// A stormCause is why the pods are rejected again and again.
type stormCause struct {
	title, text, fix string
	evidence         []rules.Evidence
}

// cause asks the template first, then the pods, then the node.
func (s *storm) cause(c *kube.Cluster, top kube.Ref) stormCause {
	var w stormCause
	pod := s.pods[len(s.pods)-1]
	template := c.Workload(top.Kind, top.Namespace, top.Name)
	if own := c.Workload(s.owner.Kind, s.owner.Namespace, s.owner.Name); own != nil &&
		(template == nil || template.NodeName == "") {
		template = own
	}
	switch {
	case template != nil && template.NodeName != "":
		w.title = ": its template names the node"
		w.text = fmt.Sprintf("The pod template of %s sets spec.nodeName to %s, so the scheduler is bypassed: it "+
			"never looks whether the node can take the pod, and no pod ever waits.", kindName(template.Ref),
			template.NodeName)
		at := template.At
		at.Line = max(template.TemplateLine, at.Line)
		w.evidence = append(w.evidence, kubeEvidence(at, time.Time{}, 1, "%s: spec.template.spec.nodeName: %s",
			kindName(template.Ref), template.NodeName))
		w.fix = fmt.Sprintf("Remove spec.template.spec.nodeName from %s and let the scheduler place the pod (node "+
			"affinity, tolerations); whoever writes that template has to change. Then delete the failed pods.",
			kindName(top))
	case s.reason != evicted && s.bypassed(c):
		w.title = ": the scheduler is bypassed"
		w.text = fmt.Sprintf("Every one of them has its node set (%s) and no sign of the scheduler (no PodScheduled "+
			"condition, no kube-scheduler among the writers, no Scheduled event): the template names the node, so "+
			"the scheduler is bypassed and no pod ever waits.", pod.Node)
		w.fix = fmt.Sprintf("Remove spec.nodeName from the pod template of %s and let the scheduler place the pod "+
			"(node affinity, tolerations). Then delete the failed pods.", kindName(top))
	case s.reason == evicted:
		w.text = fmt.Sprintf("The kubelet of %s evicts each for want of a resource, and its controller makes the "+
			"next at once, which ends the same way.", cmp.Or(pod.Node, "its node"))
		w.fix = fmt.Sprintf("Find what uses the resource up that the message names, %s itself first, and bound it "+
			"(requests and limits, ephemeral-storage among them); scale %s down until then. Then delete the "+
			"failed pods.", kindName(top), kindName(top))
	default:
		w.text = "The kubelet rejects each for good, and its controller makes the next at once."
		w.fix = fmt.Sprintf("Find out why node %s rejects what the scheduler gave it (its labels, its resources, "+
			"static pods that the scheduler does not count), and stop %s until then. Then delete the failed pods.",
			cmp.Or(pod.Node, "(unknown)"), kindName(top))
	}
	if text, e := unfit(c, pod); text != "" {
		w.text += " " + text
		w.evidence = append(w.evidence, e...)
	}
	return w
}

// bypassed reports that no pod shows that the scheduler placed it: no condition, no entry of its in managedFields, no
// event.
func (s *storm) bypassed(c *kube.Cluster) bool {
	return !slices.ContainsFunc(s.pods, func(p *kube.Pod) bool {
		scheduler := slices.ContainsFunc(p.Writers, func(w kube.Writer) bool {
			return strings.Contains(w.Manager,
				"scheduler")
		}) ||
			slices.ContainsFunc(c.EventsOf("Pod", p.Namespace, p.Name),
				func(e *kube.Event) bool { return e.Reason == "Scheduled" })
		return p.Node == "" || kube.Find(p.Conditions, "PodScheduled") != nil || scheduler
	})
}

// unfit describes what of the pod does not fit its node: labels that it lacks, resources that are taken.
func unfit(c *kube.Cluster, p *kube.Pod) (string, []rules.Evidence) {
	says := ""
	if p.Message != "" {
		says = "The kubelet of " + cmp.Or(p.Node, "its node") + " says: " + phrase.Quoted(p.Message) + "."
	}
	node := c.Node(p.Node)
	if node == nil {
		return says, nil
	}
	var lacks []string
	for _, want := range p.NodeSelector {
		if got, ok := kube.Get(node.Labels, want.Name); !ok || got != want.Value {
			lacks = append(lacks, want.Name+"="+want.Value)
		}
	}
	if len(lacks) > 0 {
		return fmt.Sprintf("Node %s does not have what the nodeSelector asks for: %s.", node.Name, someNames(lacks)),
			[]rules.Evidence{kubeEvidence(node.At, time.Time{}, 1, "Node %s has no label %s", node.Name, lacks[0])}
	}
	resource, ok := strings.CutPrefix(p.Reason, "OutOf")
	if !ok {
		return says, nil
	}
	asked := ""
	for _, ct := range p.Containers {
		if v, ok := kube.Get(ct.Requests, resource); ok {
			asked = fmt.Sprintf("Container %s asks for %s of %s", ct.Name, v, resource)
		}
	}
	has, _ := kube.Get(node.Allocatable, resource)
	if asked != "" && has != "" {
		says = strings.TrimSpace(fmt.Sprintf("%s %s, the node has %s in all.", says, asked, has))
	}
	return says, nil
}

// stormEvents is what the events count of the same, to show by how much they undercount.
func stormEvents(s *storm, events []*kube.Event) rules.Evidence {
	var e rules.Evidence
	prefix := s.owner.Name + "-"
	for _, ev := range events {
		if ev.Object.Namespace != s.owner.Namespace || !strings.HasPrefix(ev.Object.Name, prefix) {
			continue
		}
		if e.Count == 0 {
			e = kubeEvidence(ev.At, ev.Last, 0, "Event %s: %s", ev.Reason, ev.Message)
		}
		e.Count += ev.Count
	}
	if e.Count > 0 {
		e.Text = oneLine(fmt.Sprintf("the events count only %d of them: %s", e.Count, e.Text))
	}
	return e
}

// rejection reports whether a reason is one with which a kubelet refuses a pod (pkg/kubelet/lifecycle/predicate.go, Kubernetes 1.34).
func rejection(reason string) bool {
	switch reason {
	case evicted, "NodeAffinity", "NodeName", "NodePorts", "TaintToleration", "UnexpectedAdmissionError",
		"InvalidNodeInfo", "UnexpectedPredicateFailureType",
		"PodOSNotSupported", "PodOSSelectorNodeLabelDoesNotMatch":
		return true
	}
	return strings.HasPrefix(reason, "OutOf")
}

// stormsOfEvents looks for storms whose pods are gone, in the events that they left: pods that were rejected, by the
// name that their controller generates from, and what a ReplicaSet says it created.
func stormsOfEvents(c *kube.Cluster, known []rules.Finding) []rules.Finding {
	var found []rules.Finding
	for _, t := range eventStorms(c) {
		owner := t.owner
		top := owner
		if w := c.Workload(owner.Kind, owner.Namespace, owner.Name); w != nil {
			top = c.Top(&w.Meta)
		}
		if slices.ContainsFunc(known, func(f rules.Finding) bool {
			return *f.Object == *objectOf(top) ||
				*f.Object == *objectOf(owner)
		}) {
			continue
		}
		f := rules.Finding{
			Category: rules.PodStorm, Severity: t.severity, Confidence: t.confidence, Object: objectOf(top), Count: t.count,
			FirstSeen: kubeTime(t.first), LastSeen: kubeTime(t.last),
			Title: kubeTitle(top, t.act),
			Why: t.why + " The events are a lower bound: client-go folds events together and drops what exceeds " +
				"25 for each object.",
			Evidence: t.evidence,
			Notes: []string{"The pods themselves are not in the inputs: collected, or never read. Only events " +
				"tell of them."},
			Next: rules.Commands(
				kubectlOn(top, "get", "-o yaml"),
				kubectlIn(top.Namespace, "get pods --sort-by=.metadata.creationTimestamp | tail -40"),
				kubectlIn(top.Namespace, "get events --sort-by=.lastTimestamp | tail -40"),
			),
		}
		if over := c.Time.Sub(t.last); over > stormOver {
			f.Severity = rules.Low
		}
		found = append(found, f)
	}
	return found
}

// An eventStorm is a storm that only events tell of.
type eventStorm struct {
	owner       kube.Ref
	count       int
	first, last time.Time
	act, why    string
	evidence    []rules.Evidence
	severity    rules.Severity
	confidence  rules.Confidence
}

// A stormKey is what events about one storm have in common: the controller, or the part of its pods' names that it
// gives, and the reason.
type stormKey struct{ kind, namespace, stem, reason string }

// A stormEvent is all events with one key.
type stormEvent struct {
	stormKey
	pods   map[string]bool // names of objects
	count  int
	sample *kube.Event // the last
	first  time.Time
}

func eventStorms(c *kube.Cluster) []eventStorm {
	index := map[stormKey]*stormEvent{}
	var all []*stormEvent
	for _, e := range c.Events {
		created := e.Reason == "SuccessfulCreate" && (e.Object.Kind == "ReplicaSet" || e.Object.Kind == "DaemonSet")
		failed := e.Reason == "FailedDaemonPod" && e.Object.Kind == "DaemonSet" ||
			e.Reason == "RecreatingFailedPod" && e.Object.Kind == "StatefulSet"
		if !created && !failed && (e.Object.Kind != "Pod" || !rejection(e.Reason)) {
			continue
		}
		k := stormKey{e.Object.Kind, e.Object.Namespace, e.Object.Name, e.Reason}
		if e.Object.Kind == "Pod" {
			k.kind = "ReplicaSet" // what makes pods by the hundred under generated names
			i := strings.LastIndexByte(e.Object.Name, '-')
			if i <= 0 {
				continue
			}
			k.stem = e.Object.Name[:i]
		}
		g := index[k]
		if g == nil {
			g = &stormEvent{stormKey: k, pods: map[string]bool{}, first: e.First}
			index[k] = g
			all = append(all, g)
		}
		g.count += e.Count
		g.pods[e.Object.Name] = true
		g.sample = e
		if e.First.Before(g.first) {
			g.first = e.First
		}
	}
	var found []eventStorm
	for _, g := range all {
		if t, ok := g.judge(c); ok {
			found = append(found, t)
		}
	}
	return found
}

// judge decides whether the events tell of a storm.
func (g *stormEvent) judge(c *kube.Cluster) (eventStorm, bool) {
	last := g.sample.Last
	if g.count < stormPods || rate(g.count, last.Sub(g.first)) < float64(stormPods)/stormWindow.Seconds() {
		return eventStorm{}, false
	}
	t := eventStorm{
		owner: kube.Ref{API: "apps/v1", Kind: g.kind, Namespace: g.namespace, Name: g.stem}, count: g.count,
		first: g.first, last: last,
		evidence: []rules.Evidence{kubeEvidence(g.sample.At, last, g.count, "Event %s about %s: %s", g.reason,
			kindName(g.sample.Object), g.sample.Message)},
		severity: rules.High, confidence: rules.ConfMedium,
	}
	took := phrase.Spell(last.Sub(g.first))
	switch w := c.Workload(g.kind, g.namespace, g.stem); {
	case g.reason == "SuccessfulCreate":
		// A scale-up creates as many pods as are wanted. Three times as many are replacements.
		if w == nil || w.Replicas < 0 || int64(g.count) < 3*max(w.Replicas, 1) {
			return eventStorm{}, false
		}
		t.severity, t.confidence = rules.Medium, rules.ConfLow
		t.act = fmt.Sprintf("created at least %d pods in %s for %s", g.count, took, phrase.Counted(int(w.Replicas), "replica"))
		t.why = fmt.Sprintf("%s wants %d and created at least %d pods: the others did not stay.", kindName(t.owner),
			w.Replicas, g.count)
	case g.kind != "ReplicaSet":
		t.act = fmt.Sprintf("had at least %d failed pods replaced in %s", g.count, took)
		t.why = fmt.Sprintf("The controller of %s found at least %d failed pods and replaced each.", kindName(t.owner),
			g.count)
	case len(g.pods) < stormPods/2:
		return eventStorm{}, false // one pod that is reported again and again
	default:
		t.act = fmt.Sprintf("had at least %d pods rejected with %s in %s", g.count, g.reason, took)
		t.why = fmt.Sprintf("Events tell of at least %d pods, %d of them by name, that a kubelet rejected with %s; "+
			"their names come from one controller.", g.count, len(g.pods), g.reason)
	}
	return t, true
}

// rate is n over d, in a second; everything at once is everything in one second.
func rate(n int, d time.Duration) float64 { return float64(n) / max(d.Seconds(), 1) }

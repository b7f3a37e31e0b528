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
	// stormOver is how long after its last pod a storm is a thing of the past (chosen).
	stormOver = 24 * time.Hour

	// slowWindow is how long as many evictions may take: a pod that fills its node's memory or disk runs for a minute
	// before it is evicted, and its successor does the same. Chosen.
	slowWindow = time.Hour

	// lastingLife is how long a pod that works lives at least: what a storm replaces is gone within seconds.
	lastingLife = time.Minute

	// evicted is the reason of pods that ran until their node was short of a resource; all others never started.
	evicted = "Evicted"
)

// A storm is the failed pods of one controller with one reason.
type storm struct {
	owner  kube.Ref
	reason string
	pods   []*kube.Pod // ordered by creation
	peak   int         // most created within stormWindow
	again  bool        // whether the inputs show that one was made after the other, and not all at once
}

// runPodStorm is pod-storm (TR730).
func runPodStorm(c *kube.Cluster) []rules.Finding {
	type key struct{ kind, namespace, name, uid, reason string }
	var failed grouping[key, *kube.Pod]
	for _, p := range c.Pods {
		if owner, ok := stormOwner(p); ok {
			failed.add(key{owner.Kind, p.Namespace, owner.Name, owner.UID, p.Reason}, p)
		}
	}
	var found []rules.Finding
	for _, k := range failed.keys {
		s := storm{reason: k.reason, pods: failed.values[k]}
		if len(s.pods) < stormPods {
			continue
		}
		s.owner, _ = stormOwner(s.pods[0])
		slices.SortStableFunc(s.pods, func(a, b *kube.Pod) int { return a.Created.Compare(b.Created) })
		s.peak = peak(s.pods, stormWindow)
		if (s.peak >= stormPods || s.slow(c)) && s.replaced(c) {
			found = append(found, s.finding(c))
		}
	}
	return found
}

// stormOwner is what made a pod that a kubelet rejected: its controller, or the name that it was generated from. Other
// reasons end pods that ran: Terminated, NodeShutdown and Preempting come once for each pod of a node that goes away.
func stormOwner(p *kube.Pod) (kube.Ref, bool) {
	switch {
	case p.Phase != "Failed" || !kube.Rejects(p.Reason) || p.Created.IsZero() || p.Owner.Kind == "Node":
		return kube.Ref{}, false
	case p.Owner.Kind == "" && p.GenerateName != "":
		return kube.Ref{API: "v1", Kind: "Pod", Namespace: p.Namespace, Name: strings.TrimSuffix(p.GenerateName, "-")},
			true
	}
	return p.Owner, p.Owner.Kind != ""
}

// slow reports evictions that come one after the other and go on.
func (s *storm) slow(c *kube.Cluster) bool {
	return s.reason == evicted && peak(s.pods, slowWindow) >= stormPods &&
		since(c, s.pods[len(s.pods)-1].Created) <= stormWindow
}

// peak is the most pods that were created within a window.
func peak(pods []*kube.Pod, window time.Duration) int {
	most, from := 0, 0
	for i, p := range pods {
		for p.Created.Sub(pods[from].Created) > window {
			from++
		}
		most = max(most, i-from+1)
	}
	return most
}

// replaced reports whether the pods follow one another, and did not fail together: 30 replicas that were made at once
// are evicted at once hours later, or rejected at once by a kubelet that restarts, and one full node evicts 25 of 100
// pods. Pods of a storm fail as soon as they are made, and where the scheduler placed them there are more of them than
// were ever wanted, or than are there. Where neither is known, pods that were evicted were not all made in one moment.
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
	base := livePods(c, s.owner)
	if own != nil {
		base = max(base, int(own.Replicas), 1)
	}
	switch bypassed := own != nil && own.NodeName != "" || s.reason != evicted && s.bypassed(c); {
	case bypassed:
		s.again = true
	case base > 0:
		s.again = len(s.pods) >= 2*base
	default:
		s.again = s.pods[len(s.pods)-1].Created.Sub(s.pods[0].Created) >= lastingLife
		return s.again || s.reason != evicted
	}
	return s.again
}

// livePods counts the pods of a controller that have not ended.
func livePods(c *kube.Cluster, owner kube.Ref) int {
	return countPods(c, owner, func(p *kube.Pod) bool {
		return p.Phase != "Failed" && p.Phase != "Succeeded" && !p.Gone
	})
}

// countPods counts the pods of a controller that are as ok says.
func countPods(c *kube.Cluster, owner kube.Ref, ok func(*kube.Pod) bool) int {
	n := 0
	for _, p := range c.Pods {
		if p.Owner.Kind == owner.Kind && p.Owner.Name == owner.Name && p.Namespace == owner.Namespace && ok(p) {
			n++
		}
	}
	return n
}

// finding accuses what makes the pods.
func (s *storm) finding(c *kube.Cluster) rules.Finding {
	first, last := s.pods[0], s.pods[len(s.pods)-1]
	top := c.Top(&first.Meta)
	if first.Owner.Kind == "" {
		top = s.owner
	}
	n := len(s.pods)
	f := finding(top, rules.High, rules.ConfHigh, n, first.Created, last.Created)
	if n >= stormHundreds {
		f.Severity = rules.Critical
	}
	over := c.Time.Sub(last.Created)
	if over > stormOver || s.peak < stormPods {
		f.Severity = rules.Medium
	}
	act := "has " + phrase.Number(n) + " pods rejected with " + s.reason
	if s.reason == evicted {
		act = "has " + phrase.Number(n) + " pods evicted and replaced"
	}
	f.Evidence = []rules.Evidence{
		evidence(first.At, first.Created, n, "first of %s: %s: %s: %s", phrase.Count(n, "pod"), first.Name,
			first.Reason, first.Message),
		evidence(last.At, last.Created, 1, "last: %s on node %s: %s: %s", last.Name, cmp.Or(last.Node, "(none)"),
			last.Reason, last.Message),
	}
	short := s.explain(c, top, &f)
	f.Title = title(top, act+short, act)
	f.Why = fmt.Sprintf("%s pods of %s, created within %s, failed with %s. %s", phrase.Number(n), kindName(s.owner),
		phrase.Spell(last.Created.Sub(first.Created)), s.reason, f.Why)
	switch {
	case over > stormOver:
		f.Notes = append(f.Notes, "It is over: the last such pod was created "+ago(c, last.Created)+".")
	case over >= 0 && over <= stormWindow && !c.Bundle.Created.IsZero():
		f.Notes = append(f.Notes, "It is still going on: the last such pod was created "+ago(c, last.Created)+".")
	}
	if top == s.owner && s.owner.Kind == "ReplicaSet" {
		f.Notes = append(f.Notes, "The inputs do not contain the ReplicaSet, so its Deployment is not known.")
	}
	f.Notes = append(f.Notes, "The number is a lower bound: pods that were deleted are not counted.")
	f.Next = s.next(c, top)
	return f
}

// next are the steps that show who bypasses the scheduler, and end the storm.
func (s *storm) next(c *kube.Cluster, top kube.Ref) []rules.Step {
	show := rules.ShowTemplateNode
	if s.reason == evicted {
		show = "-o yaml"
	}
	next := rules.Commands(objectOf(top).Kubectl("get", show))
	w := c.Workload(top.Kind, top.Namespace, top.Name)
	scalable := top.Kind != "DaemonSet" && top.Kind != "Pod" && top.Kind != "Job"
	if scalable && s.again && (w == nil || w.Replicas != 0) {
		next = append(next, rules.Step{Command: objectOf(top).Kubectl("scale", "--replicas=0"),
			Comment: "stops it until the template is fixed", Changes: true})
	}
	return next
}

// explain says in one sentence why the pods are rejected again and again, and what to do, and returns it in short for
// the title. It asks the template first, then the pods, then the node.
func (s *storm) explain(c *kube.Cluster, top kube.Ref, f *rules.Finding) (short string) {
	pod := s.pods[len(s.pods)-1]
	template := c.Workload(top.Kind, top.Namespace, top.Name)
	if own := c.Workload(s.owner.Kind, s.owner.Namespace, s.owner.Name); own != nil &&
		(template == nil || template.NodeName == "") {
		template = own
	}
	switch {
	case template != nil && template.NodeName != "":
		short = ": its template names the node"
		f.Why = fmt.Sprintf("The pod template sets spec.nodeName to %s, so no scheduler checks whether the pod fits "+
			"on the node.", template.NodeName)
		at := template.At
		at.Line = max(template.TemplateLine, at.Line)
		f.Evidence = append(f.Evidence, evidence(at, time.Time{}, 1, "%s: spec.template.spec.nodeName: %s",
			kindName(template.Ref), template.NodeName))
		f.Fix = fmt.Sprintf("Remove spec.template.spec.nodeName from %s, then delete the failed pods.", kindName(top))
	case s.reason != evicted && s.bypassed(c):
		short = ": the scheduler is bypassed"
		f.Why = fmt.Sprintf("Each names node %s and shows no sign of a scheduler: something sets spec.nodeName.",
			pod.Node)
		f.Fix = fmt.Sprintf("Remove spec.nodeName from the pod template of %s, then delete the failed pods.",
			kindName(top))
		if template != nil {
			f.Fix = fmt.Sprintf("Find the webhook or scheduler that sets spec.nodeName in the pods of %s, and stop it.",
				kindName(top))
		}
	case s.reason == evicted:
		f.Why = fmt.Sprintf("The kubelet of %s evicts each pod because a resource runs short, and the controller "+
			"creates the next one.",
			cmp.Or(pod.Node, "its node"))
		f.Fix = fmt.Sprintf("Set requests and limits in %s for the resource that the message names.", kindName(top))
	default:
		f.Why = fmt.Sprintf("The kubelet of %s rejects pods that the scheduler placed there",
			cmp.Or(pod.Node, "its node"))
		if s.again {
			f.Why += ", and its controller creates the next pod at once"
		}
		f.Why += "."
		f.Fix = fmt.Sprintf("Scale %s to 0 until node %s can take its pods.", kindName(top),
			cmp.Or(pod.Node, "(unknown)"))
	}
	f.Evidence = append(f.Evidence, unfit(c, pod)...)
	return short
}

// bypassed reports that no pod shows that the scheduler placed it: no condition, no entry of its in managedFields, no
// event.
func (s *storm) bypassed(c *kube.Cluster) bool {
	byScheduler := func(w kube.Writer) bool { return strings.Contains(w.Manager, "scheduler") }
	scheduled := func(e *kube.Event) bool { return e.Reason == "Scheduled" }
	return !slices.ContainsFunc(s.pods, func(p *kube.Pod) bool {
		return p.Node == "" || kube.Find(p.Conditions, "PodScheduled") != nil ||
			slices.ContainsFunc(p.Writers, byScheduler) ||
			slices.ContainsFunc(c.EventsOf("Pod", p.Namespace, p.Name), scheduled)
	})
}

// unfit is what of the pod does not fit its node: labels that it lacks, resources that are taken.
func unfit(c *kube.Cluster, p *kube.Pod) (all []rules.Evidence) {
	node := c.Node(p.Node)
	if node == nil {
		return nil
	}
	for _, want := range p.NodeSelector {
		if got, ok := kube.Get(node.Labels, want.Name); !ok || got != want.Value {
			return []rules.Evidence{evidence(node.At, time.Time{}, 1, "Node %s has no label %s=%s, which the "+
				"nodeSelector asks for", node.Name, want.Name, want.Value)}
		}
	}
	resource, _ := strings.CutPrefix(p.Reason, "OutOf")
	has, _ := kube.Get(node.Allocatable, resource)
	for _, ct := range p.Containers {
		if v, ok := kube.Get(ct.Requests, resource); ok && has != "" {
			all = append(all, evidence(node.At, time.Time{}, 1, "container %s asks for %s of %s, node %s has %s in all",
				ct.Name, v, resource, node.Name, has))
		}
	}
	return all[:min(len(all), 1)]
}

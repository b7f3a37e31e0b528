package objects

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// neverReadyLong is how long pods may run without being ready: a rollout that makes no progress for as long has failed
// (progressDeadlineSeconds, 600 by default).
const neverReadyLong = 10 * time.Minute

// An unready is a pod whose containers run and that is not ready.
type unready struct {
	pod       *kube.Pod
	container *kube.Container
	since     time.Time
	event     *kube.Event // what its probe says; nil for nothing
}

// runNeverReady is never-ready (TR759).
func runNeverReady(c *kube.Cluster) []rules.Finding {
	return findings(neverReady(c), func(us []unready) rules.Finding { return neverReadyOf(c, us) })
}

// neverReady are the pods that run and are not ready, by what made them, where none of their kind is ready: others wait
// for their turn by design (the standbys of an election).
func neverReady(c *kube.Cluster) [][]unready {
	var owners grouping[kube.Ref, unready]
	ready := map[kube.Ref]bool{}
	for _, p := range c.Pods {
		if p.Gone || !p.Deleted.IsZero() || p.Owner.Kind == "" || p.Owner.Kind == "Node" {
			continue
		}
		cond := kube.Find(p.Conditions, "Ready")
		if cond == nil {
			continue
		}
		owner := p.Owner
		owner.UID = ""
		if cond.Status == "True" {
			ready[owner] = true
		}
		if u, ok := unreadyPod(c, p, cond); ok {
			owners.add(owner, u)
		}
	}
	var all [][]unready
	for _, owner := range owners.keys {
		us := owners.values[owner]
		if ready[owner] {
			us = slices.DeleteFunc(slices.Clone(us), func(u unready) bool { return !updated(c, u.pod) })
		}
		if len(us) > 0 {
			all = append(all, us)
		}
	}
	return all
}

// unreadyPod reports a pod of which all containers run and one has not been ready for long, as its kubelet says.
func unreadyPod(c *kube.Cluster, p *kube.Pod, cond *kube.Condition) (unready, bool) {
	if p.Phase != "Running" || cond.Status != "False" || cond.Reason != "ContainersNotReady" ||
		cond.Since.IsZero() || since(c, cond.Since) < neverReadyLong {
		return unready{}, false
	}
	if state, _ := nodeState(c, p.Node); state != "" {
		return unready{}, false
	}
	u := unready{pod: p, since: cond.Since}
	for i := range p.Containers {
		ct := &p.Containers[i]
		if ct.Waiting != "" || ct.Now != nil && !ct.Init {
			return unready{}, false // it has a finding of its own
		}
		if u.container == nil && !ct.Ready && !ct.Init {
			u.container = ct
		}
	}
	for _, e := range slices.Backward(c.EventsOf("Pod", p.Namespace, p.Name)) {
		if e.Reason == "Unhealthy" && strings.HasPrefix(e.Message, "Readiness probe") &&
			since(c, e.Last) < stillRestarting {
			u.event = e
			break
		}
	}
	return u, u.container != nil && (u.event != nil || u.container.Readiness != "")
}

// updated reports a pod of the newest template in a StatefulSet's rolling update, which goes from the last ordinal down
// and waits for each pod.
func updated(c *kube.Cluster, p *kube.Pod) bool {
	w := c.Workload(p.Owner.Kind, p.Namespace, p.Owner.Name)
	if w == nil || w.Kind != "StatefulSet" || w.Updated == 0 || w.Updated >= w.Replicas {
		return false
	}
	ordinal, err := strconv.ParseInt(p.Name[strings.LastIndexByte(p.Name, '-')+1:], 10, 64)
	return err == nil && ordinal >= w.Replicas-w.Updated
}

func neverReadyOf(c *kube.Cluster, us []unready) rules.Finding {
	slices.SortStableFunc(us, func(a, b unready) int { return a.since.Compare(b.since) })
	u := us[0]
	for _, o := range us {
		if o.event != nil {
			u.event, u.pod, u.container = o.event, o.pod, o.container
			break
		}
	}
	top := c.Top(&u.pod.Meta)
	f := finding(top, rules.Medium, rules.ConfMedium, len(us), us[0].since, c.Time)
	lasts := phrase.Spell(since(c, us[0].since))
	many := phrase.Count(len(us), "pod")
	f.Title = title(top, fmt.Sprintf("has %s that run and are never ready: the readiness probe fails", many),
		fmt.Sprintf("has %s that run and are never ready", many), "has pods that are never ready")
	f.Why = fmt.Sprintf("%s of %s run, and have not been ready for %s.", many, kindName(top), lasts)
	if len(us) == 1 {
		f.Title = title(top, "waits for pod "+u.pod.Name+", which runs and is never ready",
			"waits for a pod that is never ready")
		f.Why = fmt.Sprintf("Pod %s of %s runs, and has not been ready for %s.", u.pod.Name, kindName(top), lasts)
	}
	if u.event != nil {
		f.Confidence = rules.ConfHigh
		f.Why += fmt.Sprintf(" The kubelet says of %s: %s.", containerText(u.container.Name),
			phrase.Quoted(u.event.Message))
		f.Evidence = append(f.Evidence, evidence(u.event.At, u.event.Last, u.event.Count, "Event Unhealthy of %s: %s",
			kindName(u.pod.Ref), u.event.Message))
	}
	if probe := u.container.Readiness; probe != "" {
		f.Why += " Its readinessProbe is " + probe + "." + u.offPort()
	}
	u.holds(c, &f)
	servedBy(c, u.pod, &f)
	f.Fix = fmt.Sprintf("Compare the readinessProbe of container %s (path, port, command) with what it serves; if "+
		"they agree, its log and a goroutine dump show what it waits for.", u.container.Name)
	f.Next = rules.AddSteps(rules.Target{Namespace: u.pod.Namespace, Pod: u.pod.Name,
		Container: u.container.Name, Node: u.pod.Node}.CollectDump(), describe(u.pod))
	for _, o := range us[:min(len(us), maxObjectEvidence/2)] {
		f.Evidence = append(f.Evidence, evidence(kube.At{Input: o.pod.Input, Line: o.container.Line}, o.since, 1,
			"%s runs and is not ready", containerOf(o.pod.Ref, o.container.Name)))
	}
	return f
}

// offPort says that a probe asks at a port that the container does not declare, "" where it declares it, or none.
func (u *unready) offPort() string {
	_, port, ok := strings.Cut(u.container.Readiness, " at port ")
	if !ok || len(u.container.Ports) == 0 || slices.ContainsFunc(u.container.Ports, func(p kube.Pair) bool {
		return p.Name == port || p.Value == port
	}) {
		return ""
	}
	return fmt.Sprintf(" The container declares no port %s, it declares %s.", port, portsOf(u.container.Ports))
}

// portsOf writes declared ports.
func portsOf(ports []kube.Pair) string {
	var all []string
	for _, p := range ports {
		all = append(all, strings.TrimSpace(p.Name+" "+p.Value))
	}
	return someNames(all)
}

// holds adds what waits for the pod: the next pods of a StatefulSet, or the rest of a rolling update.
func (u *unready) holds(c *kube.Cluster, f *rules.Finding) {
	w := c.Workload(u.pod.Owner.Kind, u.pod.Namespace, u.pod.Owner.Name)
	if w == nil || w.Kind != "StatefulSet" {
		return
	}
	switch {
	case w.Current < w.Replicas:
		f.Why += fmt.Sprintf(" %d of %d pods of the StatefulSet are there: it makes the next one when the one before "+
			"is ready.", w.Current, w.Replicas)
	case updated(c, u.pod):
		f.Why += fmt.Sprintf(" %d of %d pods have the new template: the rolling update waits for it.", w.Updated,
			w.Replicas)
	}
}

// servedBy adds the Service that has no ready pod because of this one, and the Ingress that names it.
func servedBy(c *kube.Cluster, p *kube.Pod, f *rules.Finding) {
	for _, s := range c.Services {
		if s.Gone || s.Namespace != p.Namespace || len(s.Selector) == 0 || !selects(s.Selector, p.Labels) ||
			slices.ContainsFunc(c.Pods, func(o *kube.Pod) bool { return serves(s, o) }) {
			continue
		}
		f.Why += fmt.Sprintf(" Service %s has no ready pod", s.Name)
		f.Objects = append(f.Objects, *objectOf(s.Ref))
		for _, in := range c.Ingresses {
			if !in.Gone && in.Namespace == s.Namespace && slices.Contains(in.Services, s.Name) {
				f.Why += fmt.Sprintf(", and the requests of Ingress %s get no answer", in.Name)
				f.Objects = append(f.Objects, *objectOf(in.Ref))
				break
			}
		}
		f.Why += "."
		return
	}
}

// serves reports a ready pod that a Service selects.
func serves(s *kube.Service, p *kube.Pod) bool {
	if p.Gone || p.Namespace != s.Namespace || !selects(s.Selector, p.Labels) {
		return false
	}
	ready := kube.Find(p.Conditions, "Ready")
	return ready != nil && ready.Status == "True"
}

// initLong is how long an init container may run: migrations and restores take minutes. Chosen.
const initLong = 30 * time.Minute

// runInitHangs is init-hangs (TR781).
func runInitHangs(c *kube.Cluster) []rules.Finding {
	type key struct {
		top       kube.Ref
		container string
	}
	var groups grouping[key, died]
	for _, p := range c.Pods {
		if !waitingPod(p) || p.Owner.Kind == "Job" {
			continue
		}
		for i := range p.Containers {
			ct := &p.Containers[i]
			if ct.Init && !ct.Sidecar && !ct.Running.IsZero() && since(c, ct.Running) >= pendingLong {
				groups.add(key{c.Top(&p.Meta), ct.Name}, died{pod: p, c: ct})
			}
		}
	}
	return groups.findings(func(k key, ds []died) rules.Finding { return initHangsOf(c, k.top, ds) })
}

func initHangsOf(c *kube.Cluster, top kube.Ref, ds []died) rules.Finding {
	slices.SortStableFunc(ds, func(a, b died) int { return a.c.Running.Compare(b.c.Running) })
	d := ds[0]
	f := finding(top, rules.Medium, rules.ConfMedium, len(ds), d.c.Running, c.Time)
	if since(c, d.c.Running) < initLong {
		f.Severity, f.Confidence = rules.Low, rules.ConfLow // it may yet end
	}
	lasts := phrase.Spell(since(c, d.c.Running))
	f.Title = title(top, fmt.Sprintf("does not start: init container %s has run for %s", d.c.Name, lasts),
		"does not start: init container "+d.c.Name+" does not end")
	f.Why = fmt.Sprintf("%s of %s have not started: their init container %s runs, the first for %s, and the others "+
		"wait until it ends.", phrase.Count(len(ds), "pod"), kindName(top), d.c.Name, lasts)
	if len(ds) == 1 {
		f.Why = fmt.Sprintf("%s has not started: its init container %s has run for %s, and the others wait until it "+
			"ends.", kindName(d.pod.Ref), d.c.Name, lasts)
	}
	if d.c.Image != "" {
		f.Why += " Its image is " + d.c.Image + "."
	}
	servedBy(c, d.pod, &f)
	f.Fix = fmt.Sprintf("Read the log of init container %s: what it waits for (a database, a Service, a lock) is what "+
		"to bring back.", d.c.Name)
	f.Next = []rules.Step{rules.Command(kubectlIn(d.pod.Namespace, "logs "+rules.Quote(d.pod.Name)+" -c "+
		rules.Quote(d.c.Name)+" --tail=50")), describe(d.pod)}
	unsureSince(c, &f, d.pod.At, d.c.Running, pendingLong)
	for _, o := range ds[:min(len(ds), maxObjectEvidence)] {
		f.Evidence = append(f.Evidence, evidence(o.at(), o.c.Running, 1, "%s: running since %s",
			containerOf(o.pod.Ref, "init "+o.c.Name), kubeTime(o.c.Running)))
	}
	return f
}

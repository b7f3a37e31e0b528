package objects

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// pendingLong is how long a pod may take to start: an autoscaled node takes up to 10 minutes, and so does a large
// image.
const pendingLong = 10 * time.Minute

// pendingSeen is from which age on a pod that does not start is reported at all: a scheduler and a kubelet that have
// what they need take seconds. Chosen. Until pendingLong it is no more than a hint.
const pendingSeen = 45 * time.Second

// waitingPod reports a pod that has not started.
func waitingPod(p *kube.Pod) bool {
	return p.Phase == "Pending" && !p.Gone && p.Deleted.IsZero()
}

// podAge is how long the pod has been there.
func podAge(c *kube.Cluster, p *kube.Pod) time.Duration {
	from := p.Created
	if s := kube.Find(p.Conditions, "PodScheduled"); from.IsZero() && s != nil {
		from = s.Since
	}
	if from.IsZero() {
		from = p.Started
	}
	return since(c, from)
}

// undated is how old a pod may be for its age to be believed where the inputs do not say when they were taken: pieces
// of several clusters lie in one folder.
const undated = 7 * 24 * time.Hour

// runUnschedulable is unschedulable (TR736).
func runUnschedulable(c *kube.Cluster) []rules.Finding {
	type key struct {
		top   kube.Ref
		cause string // of Jobs, which a queue has by the dozen
	}
	var tops grouping[key, *kube.Pod]
	for _, pod := range c.Pods {
		cond := kube.Find(pod.Conditions, "PodScheduled")
		if !waitingPod(pod) || cond == nil || cond.Status != "False" || podAge(c, pod) < pendingSeen ||
			cond.Reason == "SchedulingGated" || // who gated it decides when it starts (KEP-3521)
			pod.Priority < 0 || claimsHang(c, pod) { // one that holds room for others waits on purpose
			continue
		}
		k := key{top: c.Top(&pod.Meta)}
		if k.top.Kind == "Job" {
			k.top, k.cause = kube.Ref{Kind: "Job", Namespace: k.top.Namespace}, cond.Message
		}
		tops.add(k, pod)
	}
	return tops.findings(func(_ key, pods []*kube.Pod) rules.Finding { return unschedulableOf(c, pods) })
}

// claimsHang reports a pod that TR734 speaks of.
func claimsHang(c *kube.Cluster, p *kube.Pod) bool {
	return slices.ContainsFunc(p.Claims, func(name string) bool { _, ok := hungOn(c, p, name); return ok })
}

func unschedulableOf(c *kube.Cluster, pods []*kube.Pod) rules.Finding {
	slices.SortStableFunc(pods, func(a, b *kube.Pod) int { return a.Created.Compare(b.Created) })
	first := pods[0]
	top, waited := c.Top(&first.Meta), podAge(c, first)
	cond := kube.Find(first.Conditions, "PodScheduled")
	f := finding(top, rules.Medium, rules.ConfHigh, len(pods), first.Created, c.Time)
	who := podsThat(top, len(pods))
	f.Title = title(top, "has "+phrase.Count(len(pods), "pod")+" that no node can take")
	if top.Kind == "Pod" {
		f.Title = title(top, "is not scheduled: no node can take it")
	}
	if others := othersOf(c, pods); others > 0 {
		f.Title = title(top, fmt.Sprintf("and %s have %s that no node can take", phrase.Count(others, "other"),
			phrase.Count(len(pods), "pod")))
		who = fmt.Sprintf("%s of %s and %s", phrase.Count(len(pods), "pod"), kindName(top),
			phrase.Count(others, "other"))
	}
	f.Why = fmt.Sprintf("The scheduler has found no node for %s for %s. It says: %s.", who,
		phrase.OnlyIf(len(pods) > 1, "up to ")+phrase.Spell(waited), phrase.Quoted(cond.Message))
	f.Fix = "Provide the capacity or labels that the scheduler's message asks for, or lower the requests of " +
		kindName(top) + "."
	f.Next = []rules.Step{describe(first), rules.Command("kubectl describe nodes")}
	switch {
	case waited < pendingLong:
		f.Doubt("It has waited for " + phrase.Spell(waited) + ": a node may be on its way.")
	case c.Bundle.Created.IsZero() && waited > undated:
		f.Doubt("The inputs do not say when they were taken, so the length of the wait is unknown.")
	case !slices.ContainsFunc(c.EventsOf("Pod", first.Namespace, first.Name), func(e *kube.Event) bool {
		return since(c, e.Last) < pendingLong // it goes on
	}):
		unsureSince(c, &f, first.At, c.Time.Add(-waited), pendingLong)
	}
	for _, p := range pods[:min(len(pods), maxObjectEvidence)] {
		s := kube.Find(p.Conditions, "PodScheduled")
		f.Evidence = append(f.Evidence, evidence(p.At, p.Created, 1, "%s: %s: %s", kindName(p.Ref), s.Reason,
			s.Message))
	}
	return f
}

// othersOf is how many workloads beside the first one pods are of.
func othersOf(c *kube.Cluster, pods []*kube.Pod) int {
	tops := map[kube.Ref]bool{}
	for _, p := range pods {
		tops[c.Top(&p.Meta)] = true
	}
	return len(tops) - 1
}

// runCannotStart is container-cannot-start (TR737).
func runCannotStart(c *kube.Cluster) []rules.Finding {
	type key struct {
		top    kube.Ref
		reason string
	}
	var groups grouping[key, stopped]
	for _, pod := range c.Pods {
		if pod.Gone || !pod.Deleted.IsZero() || pod.Phase == "Failed" || pod.Phase == "Succeeded" {
			continue
		}
		if s, ok := startStopped(c, pod); ok {
			groups.add(key{c.Top(&pod.Meta), s.reason}, s)
		}
	}
	return groups.findings(func(k key, ss []stopped) rules.Finding { return cannotStartOf(c, k.top, ss) })
}

// configLong is how long a pod may wait for its ConfigMap or Secret: an installation makes both within seconds.
// Chosen.
const configLong = 2 * time.Minute

// mayCome is how long what a container can't be started for may yet come by itself. A name that is none never does.
func mayCome(reason string) time.Duration {
	switch reason {
	case "InvalidImageName", "ErrImageNeverPull":
		return 0
	case "CreateContainerConfigError":
		return configLong
	}
	return pendingLong
}

// A stopped is a container that can't be started.
type stopped struct {
	pod                        *kube.Pod
	container, reason, message string
	at                         kube.At // of the container's state, or the event about it
	when                       time.Time
	count                      int
}

// startStopped looks for the first container of a pod that can't be started.
func startStopped(c *kube.Cluster, p *kube.Pod) (stopped, bool) {
	for i := range p.Containers {
		ct := &p.Containers[i]
		at := kube.At{Input: p.Input, Line: cmp.Or(ct.Line, p.Line)}
		switch {
		case ct.Waiting == "ErrImagePull": // the moment between two back-offs
			return stopped{p, ct.Name, "ImagePullBackOff", waitsFor(c, p, ct), at, p.Created, 1}, true
		case kube.CannotStart(ct.Waiting):
			return stopped{p, ct.Name, ct.Waiting, waitsFor(c, p, ct), at, p.Created, 1}, true
		case ct.Waiting == "ContainerCreating" || ct.Waiting == "PodInitializing":
			if podAge(c, p) < pendingSeen {
				continue
			}
			for _, e := range slices.Backward(c.EventsOf("Pod", p.Namespace, p.Name)) {
				switch e.Reason {
				case "FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "FailedMapVolume":
					if podAge(c, p) < pendingLong && e.Count < 2 {
						continue // it failed once, and may have gone through
					}
					if c.Time.Sub(e.Last) < pendingLong {
						return stopped{p, ct.Name, e.Reason, e.Message, e.At, e.Last, e.Count}, true
					}
				}
			}
		}
	}
	return stopped{}, false
}

// waitsFor is why a container waits: the status says so, but not what kubectl describes and lists; there the newest
// Warning about its start does. Without one it is the image.
func waitsFor(c *kube.Cluster, p *kube.Pod, ct *kube.Container) string {
	if ct.WaitingMessage != "" {
		return ct.WaitingMessage
	}
	for _, e := range slices.Backward(c.EventsOf("Pod", p.Namespace, p.Name)) {
		switch e.Reason {
		case "Failed", "ErrImageNeverPull", "InspectFailed":
			if !strings.HasPrefix(e.Message, "Error: ImagePullBackOff") && e.Message != "Error: ErrImagePull" {
				return e.Message
			}
		}
	}
	return ct.Image
}

// Forms of the kubelet's words about configuration that is not there (pkg/kubelet/kubelet_pods.go, 1.20 to 1.34):
// "couldn't find key LEVEL in ConfigMap shop/web", `configmap "web" not found`, `secret "db" not found`.
var (
	missingKey = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`couldn't find key (\S+) in (ConfigMap|Secret) ([^/\s]+)/([^\s,]+)`)
	})
	missingConfig = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`(?i)(configmap|secret) "([^"]+)" not found`)
	})
)

// explain names what a container lacks, and who wrote it last.
func (s *stopped) explain(c *kube.Cluster, top kube.Ref, f *rules.Finding) {
	config, act := kube.Ref{API: "v1", Namespace: s.pod.Namespace}, "can't start "+containerText(s.container)+": "
	switch key, whole := missingKey().FindStringSubmatch(s.message), missingConfig().FindStringSubmatch(s.message); {
	case key != nil:
		config.Kind, config.Name = key[2], key[4]
		f.Title = title(top, act+fmt.Sprintf("%s %s has no key %s", config.Kind, config.Name, key[1]), act+s.reason)
		f.Fix = fmt.Sprintf("Put key %s back into %s %s, or remove it from the pod template.", key[1], config.Kind,
			config.Name)
	case whole != nil:
		config.Kind, config.Name = "Secret", whole[2]
		if strings.EqualFold(whole[1], "configmap") {
			config.Kind = "ConfigMap"
		}
		f.Title = title(top, act+fmt.Sprintf("%s %s does not exist", config.Kind, config.Name), act+s.reason)
		f.Fix = fmt.Sprintf("Create %s %s, or remove it from the pod template.", config.Kind, config.Name)
	case strings.Contains(s.reason, "Image") || s.reason == "RegistryUnavailable":
		f.Fix = "Correct the name or tag of the image, or the pull secret of the pod."
		if i := slices.IndexFunc(s.pod.Containers, func(ct kube.Container) bool {
			return ct.Name == s.container && ct.Image != ""
		}); i >= 0 {
			image := s.pod.Containers[i].Image
			f.Title = title(top, act+s.reason+" of "+image[strings.LastIndexByte(image, '/')+1:], act+s.reason)
			f.Fix = fmt.Sprintf("Correct the name or tag of image %s, or the pull secret of the pod.", image)
		}
		for _, e := range slices.Backward(c.EventsOf("Pod", s.pod.Namespace, s.pod.Name)) {
			if e.Reason == "FailedToRetrieveImagePullSecret" {
				f.Evidence = append(f.Evidence, evidence(e.At, e.Last, e.Count, "Event %s: %s", e.Reason, e.Message))
				break
			}
		}
		return
	default:
		f.Fix = "Fix the problem that the kubelet's message names."
		return
	}
	f.Objects = append(f.Objects, *objectOf(config))
	f.Next = append(f.Next, rules.Command(objectOf(config).Kubectl("get", "-o yaml --show-managed-fields")))
	for _, o := range c.Others {
		if o.Kind == config.Kind && o.Name == config.Name && o.Namespace == config.Namespace && !o.Gone {
			f.Evidence = append(f.Evidence, evidence(o.At, o.Written, 1, "%s, last written%s", kindName(o.Ref),
				byWriter(&o.Meta)))
		}
	}
}

// podsThat is "3 pods of Deployment shop/web", "Pod shop/web" for a pod that nothing made.
func podsThat(top kube.Ref, n int) string {
	if top.Kind == "Pod" {
		return kindName(top)
	}
	return phrase.Count(n, "pod") + " of " + kindName(top)
}

// startText is "Pod shop/web container app: ImagePullBackOff: IMAGE".
func startText(s *stopped) string {
	text := containerOf(s.pod.Ref, s.container) + ": " + s.reason
	if s.message != "" {
		text += ": " + s.message
	}
	return text
}

// byWriter is " by NAME" of the last writer.
func byWriter(m *kube.Meta) string {
	if m.WrittenBy == nil {
		return ""
	}
	return " by " + m.WrittenBy.Manager
}

func cannotStartOf(c *kube.Cluster, top kube.Ref, ss []stopped) rules.Finding {
	s := ss[0]
	f := finding(top, rules.Medium, rules.ConfHigh, len(ss), s.pod.Created, c.Time)
	f.Title = title(top, "can't start "+containerText(s.container)+": "+s.reason)
	f.Why = fmt.Sprintf("%s can't start %s: %s.", podsThat(top, len(ss)), containerText(s.container), s.reason)
	f.Next = []rules.Step{describe(s.pod)}
	if s.message != "" {
		f.Why += " The kubelet says: " + phrase.Quoted(s.message) + "."
	}
	if d := podAge(c, s.pod); d > 0 && s.pod.Phase == "Pending" && d < mayCome(s.reason) {
		f.Doubt("It has waited for " + phrase.Spell(d) + ": the missing item may still appear.")
	}
	for _, o := range ss[:min(len(ss), maxObjectEvidence)] {
		f.Evidence = append(f.Evidence, evidence(o.at, o.when, o.count, "%s", startText(&o)))
	}
	s.explain(c, top, &f)
	return f
}

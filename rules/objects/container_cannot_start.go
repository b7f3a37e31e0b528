package objects

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

func runCannotStart(p *rules.Pass) []rules.Finding {
	c := p.Cluster
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
	var found []rules.Finding
	for _, k := range groups.keys {
		found = append(found, cannotStartOf(c, k.top, groups.values[k]))
	}
	return found
}

// A stopped is a container that can't be started.
type stopped struct {
	pod             *kube.Pod
	container       string
	reason, message string
	line            int64
	event           *kube.Event
}

// startStopped looks for the first container of a pod that can't be started.
func startStopped(c *kube.Cluster, p *kube.Pod) (stopped, bool) {
	for i := range p.Containers {
		ct := &p.Containers[i]
		switch ct.Waiting {
		case "ImagePullBackOff", "ErrImagePull", "InvalidImageName", "ErrImageNeverPull", "RegistryUnavailable",
			"ImageInspectError",
			"CreateContainerConfigError", "CreateContainerError", "RunContainerError", "PreCreateHookError",
			"PreStartHookError", "PostStartHookError":
			reason := ct.Waiting
			if reason == "ErrImagePull" { // the moment between two back-offs
				reason = "ImagePullBackOff"
			}
			return stopped{pod: p, container: ct.Name, reason: reason, message: cmp.Or(ct.WaitingMessage, ct.Image),
				line: ct.Line}, true
		case "ContainerCreating", "PodInitializing":
			if podAge(c, p) < pendingLong {
				continue
			}
			for _, e := range slices.Backward(c.EventsOf("Pod", p.Namespace, p.Name)) {
				switch e.Reason {
				case "FailedMount", "FailedAttachVolume", "FailedCreatePodSandBox", "FailedMapVolume":
					if c.Time.Sub(e.Last) < pendingLong {
						return stopped{pod: p, container: ct.Name, reason: e.Reason, message: e.Message, line: ct.Line,
							event: e}, true
					}
				}
			}
		}
	}
	return stopped{}, false
}

func cannotStartOf(c *kube.Cluster, top kube.Ref, ss []stopped) rules.Finding {
	s := ss[0]
	f := rules.Finding{
		Category: rules.Deadlock, Severity: rules.Medium, Confidence: rules.ConfMedium, Object: objectOf(top), Count: len(ss),
		FirstSeen: kubeTime(s.pod.Created), LastSeen: kubeTime(c.Time),
		Title: kubeTitle(top, fmt.Sprintf("can't start container %s: %s", s.container, s.reason)),
		Why: fmt.Sprintf("%s of %s can't start container %s (%s).", phrase.Counted(len(ss), "pod"), kindName(top),
			s.container, s.reason),
		Next: rules.Commands(kubectlIn(s.pod.Namespace, "describe pod "+rules.Quote(s.pod.Name))),
	}
	if s.message != "" {
		f.Why += " The kubelet says: " + phrase.Quoted(s.message) + "."
	}
	if d := podAge(c, s.pod); d > 0 && s.pod.Phase == "Pending" && d < pendingLong {
		f.Severity = rules.Low // it may yet come
	}
	for _, o := range ss[:min(len(ss), maxObjectEvidence)] {
		at, when, n := kube.At{Input: o.pod.Input, Line: cmp.Or(o.line, o.pod.Line)}, o.pod.Created, 1
		if o.event != nil {
			at, when, n = o.event.At, o.event.Last, o.event.Count
		}
		f.Evidence = append(f.Evidence, kubeEvidence(at, when, n, "%s container %s: %s: %s", kindName(o.pod.Ref),
			o.container, o.reason, o.message))
	}
	return f
}

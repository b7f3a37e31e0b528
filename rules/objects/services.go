package objects

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/rules/phrase"
)

// runEmptyService is service-selects-nothing (TR754).
// A Service without pods is nothing special (a canary's, one of a workload at 0): only where a workload runs that
// nearly fits it and that no other Service selects, its labels were changed and the Service was not.
func runEmptyService(c *kube.Cluster) []rules.Finding {
	pods := map[string][]*kube.Pod{}
	for _, p := range c.Pods {
		if !p.Gone && p.Deleted.IsZero() && (p.Phase == "Running" || p.Phase == "Pending") {
			pods[p.Namespace] = append(pods[p.Namespace], p)
		}
	}
	spaces := map[string][]*kube.Service{}
	for _, s := range c.Services {
		if !s.Gone && len(s.Selector) > 0 {
			spaces[s.Namespace] = append(spaces[s.Namespace], s)
		}
	}
	var found []rules.Finding
	for _, s := range c.Services {
		if s.Gone || !s.Deleted.IsZero() || len(s.Selector) == 0 || s.Type == "ExternalName" {
			continue
		}
		if slices.ContainsFunc(pods[s.Namespace], func(p *kube.Pod) bool { return selects(s.Selector, p.Labels) }) {
			continue
		}
		p := misses(c, s, pods[s.Namespace], spaces[s.Namespace])
		if p == nil {
			continue
		}
		lost := lostPods(c, s)
		endpoints, known := endpointsOf(c, s)
		if endpoints == 0 && (known || !lost.IsZero() || c.Lists("Pod", s.Namespace) &&
			showsPods(c, s.Namespace)) {
			found = append(found, emptyService(c, s, p, lost))
		}
	}
	return found
}

// showsPods reports that no workload of a namespace has more pods than the inputs show: a watch that was begun late, or
// of a selection, shows some.
func showsPods(c *kube.Cluster, namespace string) bool {
	shown := map[kube.Ref]int64{}
	for _, p := range c.Pods {
		if p.Namespace == namespace && !p.Gone {
			shown[kube.Ref{Kind: p.Owner.Kind, Name: p.Owner.Name}]++
		}
	}
	return !slices.ContainsFunc(c.Workloads, func(w *kube.Workload) bool {
		return w.Namespace == namespace && !w.Gone && w.Kind != "Deployment" && w.Kind != "CronJob" &&
			w.Kind != "Job" && max(w.Replicas, w.Current) > shown[kube.Ref{Kind: w.Kind, Name: w.Name}]
	})
}

// lostLong is how long a Service has to be without the pods that it had. Who replaces a workload by one of another name
// changes the selector by hand or in the next step, within seconds.
const lostLong = 30 * time.Second

// emptyLong is how long a Service and a workload of its name have to be there, without what leads from one to the
// other: an installation makes both within seconds. Chosen.
const emptyLong = time.Minute

// lostPods is when the last pod was deleted that the Service selected and whose workload went or was scaled to 0 as
// well; zero where the inputs saw none. A workload that still wants pods has some that a watch may not show.
func lostPods(c *kube.Cluster, s *kube.Service) (last time.Time) {
	for _, p := range c.Pods {
		if !p.Gone || p.Namespace != s.Namespace || p.Deleted.IsZero() || !selects(s.Selector, p.Labels) {
			continue
		}
		w := c.Workload(p.Owner.Kind, p.Namespace, p.Owner.Name)
		if w == nil || !w.Gone && w.Replicas > 0 {
			return time.Time{}
		}
		if at := p.Deleted.Add(-time.Duration(p.Grace) * time.Second); at.After(last) {
			last = at
		}
	}
	return last
}

// endpointsOf counts the endpoints in a Service's EndpointSlices. The cluster itself finds them: that needs no list of
// all pods. known is false where the inputs have no EndpointSlice of the Service.
func endpointsOf(c *kube.Cluster, s *kube.Service) (n int, known bool) {
	for _, e := range c.Slices {
		if !e.Gone && e.Namespace == s.Namespace && e.Service == s.Name {
			n, known = n+e.Endpoints, true
		}
	}
	return n, known
}

// misses is a running pod that a Service nearly selects and that no Service selects; nil for none.
func misses(c *kube.Cluster, s *kube.Service, pods []*kube.Pod, all []*kube.Service) *kube.Pod {
	for _, p := range pods {
		if p.Phase == "Running" && p.Owner.Kind != "" && (nearly(s.Selector, p.Labels, namesakes(c, s, p)) ||
			c.Top(&p.Meta).Name == s.Name) &&
			!slices.ContainsFunc(all, func(o *kube.Service) bool { return selects(o.Selector, p.Labels) }) {
			return p
		}
	}
	return nil
}

// namesakes reports that a pod's workload is called as the Service is, or so with a word more.
func namesakes(c *kube.Cluster, s *kube.Service, p *kube.Pod) bool {
	name := c.Top(&p.Meta).Name
	return name == s.Name || strings.HasPrefix(name, s.Name+"-")
}

// nearly reports labels that have most of what a selector asks for: values that are the same, or the same with a word
// more, and of several names one that is missing or has another value, where another name's value is the same. With a
// workload that is called as the Service is, that one may be the only one.
func nearly(selector, labels []kube.Pair, namesake bool) bool {
	same, lacks := 0, 0
	for _, want := range selector {
		got, ok := kube.Get(labels, want.Name)
		switch {
		case !ok:
			lacks++
		case got == want.Value:
			same++
		case !strings.HasPrefix(got, want.Value+"-") && !strings.HasPrefix(want.Value, got+"-"):
			lacks++
		}
	}
	return lacks == 0 || lacks == 1 && (same > 0 || namesake)
}

func emptyService(c *kube.Cluster, s *kube.Service, p *kube.Pod, lost time.Time) rules.Finding {
	top := c.Top(&p.Meta)
	f := finding(s.Ref, rules.Low, rules.ConfMedium, 1, p.Created, c.Time)
	var asks, has []string
	for _, want := range s.Selector {
		asks = append(asks, want.Name+"="+want.Value)
		if got, ok := kube.Get(p.Labels, want.Name); !ok {
			has = append(has, "no "+want.Name)
		} else if got != want.Value {
			has = append(has, want.Name+"="+got)
		}
	}
	f.Title = title(s.Ref, "selects no pod: "+top.Kind+" "+top.Name+" has other labels", "selects no pod")
	f.Why = fmt.Sprintf("Service %s/%s selects %s, which no pod of the namespace has. The pods of %s run with "+
		"%s, and no Service selects them: their labels were changed, and the selector was not.", s.Namespace, s.Name,
		someNames(asks), kindName(top), someNames(has))
	f.Evidence = []rules.Evidence{
		evidence(s.At, s.Written, 1, "%s: selector %s", kindName(s.Ref), someNames(asks)),
		evidence(p.At, p.Created, 1, "%s of %s has %s", kindName(p.Ref), kindName(top), someNames(has)),
	}
	f.Objects = []rules.Object{*objectOf(top)}
	if d := since(c, lost); !lost.IsZero() && d >= lostLong {
		f.Severity = rules.Medium
		f.Why += fmt.Sprintf(" The last pod that it selected was deleted %s ago.", phrase.Spell(d))
	}
	if since(c, s.Created) >= emptyLong && since(c, p.Created) >= emptyLong && namesakes(c, s, p) {
		f.Severity = rules.Medium
		f.Why += " They have the same name, and both have been there for a while."
	}
	for _, in := range c.Ingresses {
		if !in.Gone && in.Namespace == s.Namespace && slices.Contains(in.Services, s.Name) {
			f.Severity = rules.Medium
			f.Why += fmt.Sprintf(" Ingress %s sends its requests to the Service: they get no answer.", in.Name)
			f.Evidence = append(f.Evidence, evidence(in.At, in.Written, 1, "%s names Service %s", kindName(in.Ref),
				s.Name))
			f.Objects = append(f.Objects, *objectOf(in.Ref))
			break
		}
	}
	f.Fix = fmt.Sprintf("Set the selector of Service %s to labels that the pods of %s have, or give them %s back.",
		s.Name, kindName(top), someNames(asks))
	f.Next = rules.Commands(kubectlOn(s.Ref, "get", "-o wide"), kubectlIn(s.Namespace, "get pods --show-labels"),
		kubectlIn(s.Namespace, "get endpointslices -l kubernetes.io/service-name="+rules.Quote(s.Name)))
	return f
}

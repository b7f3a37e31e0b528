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

// routedLong is how long something may name what is not there: an installation makes both within minutes. Chosen.
const routedLong = 10 * time.Minute

// runDeadRoute is dead-route (TR782).
func runDeadRoute(c *kube.Cluster) []rules.Finding {
	var found []rules.Finding
	for _, in := range c.Ingresses {
		if !in.Gone && in.Deleted.IsZero() && since(c, in.Created) >= routedLong {
			found = append(found, deadBackends(c, in)...)
		}
	}
	for _, o := range c.Others {
		cond := kube.Find(o.Conditions, "ResolvedRefs")
		for i := range o.Conditions {
			if r := &o.Conditions[i]; r.Type == "ResolvedRefs" && r.Status == "False" {
				cond = r
			}
		}
		if !o.Gone && o.Deleted.IsZero() && strings.HasPrefix(o.API, "gateway.networking.k8s.io/") && cond != nil &&
			cond.Status == "False" && since(c, cond.Since) >= routedLong {
			found = append(found, deadReference(c, o, cond))
		}
	}
	return append(found, circles(c)...)
}

// deadBackends are the first backend of an Ingress whose Service is not there, and the first whose port is not.
func deadBackends(c *kube.Cluster, in *kube.Ingress) []rules.Finding {
	var noService, noPort []kube.Backend
	for _, b := range in.Backends {
		// The AWS controller takes the name for that of an action in an annotation.
		if b.Port == "use-annotation" {
			continue
		}
		s := c.Service(in.Namespace, b.Service)
		switch {
		case s == nil && !c.Lists("Service", in.Namespace):
		case s == nil || s.Gone:
			noService = append(noService, b)
		case s.Type != "ExternalName" && len(s.Ports) > 0 && b.Port != "" && !slices.ContainsFunc(s.Ports,
			func(p kube.ServicePort) bool { return p.Name == b.Port || p.Port == b.Port }):
			noPort = append(noPort, b)
		}
	}
	var found []rules.Finding
	if len(noService) > 0 {
		b := noService[0]
		f := routeFinding(c, in.Ref, in.At, in.Created, len(noService), "the backend %s, port %s: no Service %s/%s",
			b.Service, b.Port, in.Namespace, b.Service)
		f.Title = title(in.Ref, "sends requests to Service "+b.Service+", which is not there",
			"sends requests to a Service that is not there")
		f.Why = fmt.Sprintf("%s sends requests to Service %s, and namespace %s has no Service of that name: they get "+
			"no answer.", kindName(in.Ref), b.Service, in.Namespace)
		f.Fix = fmt.Sprintf("Make Service %s, or let %s name one that is there.", b.Service, kindName(in.Ref))
		f.Objects = []rules.Object{{API: "v1", Kind: "Service", Namespace: in.Namespace, Name: b.Service}}
		f.Next = append(f.Next, rules.Command(kubectlIn(in.Namespace, "get services")))
		found = append(found, f)
	}
	if len(noPort) > 0 {
		b := noPort[0]
		s := c.Service(in.Namespace, b.Service)
		var has []string
		for _, p := range s.Ports {
			has = append(has, strings.TrimSpace(p.Name+" "+p.Port))
		}
		f := routeFinding(c, in.Ref, in.At, in.Created, len(noPort), "the backend %s, port %s", b.Service, b.Port)
		f.Title = title(in.Ref,
			fmt.Sprintf("sends requests to port %s of Service %s, which has none", b.Port, b.Service),
			"sends requests to a port that its Service does not have")
		f.Why = fmt.Sprintf("%s sends requests to port %s of Service %s, which has %s: they get no answer.",
			kindName(in.Ref), b.Port, b.Service, someNames(has))
		f.Evidence = append(f.Evidence, evidence(s.At, s.Written, 1, "%s has ports %s", kindName(s.Ref),
			someNames(has)))
		f.Fix = fmt.Sprintf("Let %s name one of the ports of Service %s, or give that Service port %s.",
			kindName(in.Ref), b.Service, b.Port)
		f.Objects = []rules.Object{*objectOf(s.Ref)}
		f.Next = append(f.Next, rules.Command(kubectlOn(s.Ref, "get", "-o yaml")))
		found = append(found, f)
	}
	return found
}

// routeFinding begins a finding about what leads requests to nowhere.
func routeFinding(
	c *kube.Cluster, r kube.Ref, at kube.At, from time.Time, n int, format string, args ...any,
) rules.Finding {
	f := finding(r, rules.Medium, rules.ConfHigh, n, from, c.Time)
	f.Evidence = []rules.Evidence{evidence(at, from, n, kindName(r)+": "+format, args...)}
	f.Next = rules.Commands(kubectlOn(r, "describe", ""))
	return f
}

// deadReference is of a Gateway API route, whose controller says what it does not find.
func deadReference(c *kube.Cluster, o *kube.Other, cond *kube.Condition) rules.Finding {
	f := routeFinding(c, o.Ref, o.At, cond.Since, 1, "ResolvedRefs is False: %s: %s", cond.Reason, cond.Message)
	f.Title = title(o.Ref, "names a backend that can't be used: "+cond.Reason)
	f.Why = fmt.Sprintf("%s names a backend that its gateway can't use (%s), for %s: the requests for it get an "+
		"error. The gateway says: %s.", kindName(o.Ref), cond.Reason, phrase.Spell(since(c, cond.Since)),
		phrase.Quoted(cond.Message))
	f.Fix = fmt.Sprintf("Make what the message names, or take it out of the backendRefs of %s.", kindName(o.Ref))
	f.Next = append(f.Next, rules.Command(kubectlIn(o.Namespace, "get services")))
	return f
}

// maxAliases bounds how many names one Service stands for in turn.
const maxAliases = 16

// circles are the Services of type ExternalName that lead back to themselves, each circle once.
func circles(c *kube.Cluster) []rules.Finding {
	var found []rules.Finding
	seen := map[*kube.Service]bool{}
	for _, s := range c.Services {
		path := []*kube.Service{s}
		for at := aliased(c, s); at != nil && !seen[at] && len(path) < maxAliases; at = aliased(c, at) {
			if at == s {
				each(path, func(o *kube.Service) { seen[o] = true })
				found = append(found, circle(c, path))
				break
			}
			path = append(path, at)
		}
	}
	return found
}

// aliased is the Service that an ExternalName stands for (NAME.NAMESPACE.svc, with the cluster's domain or without);
// nil for none.
func aliased(c *kube.Cluster, s *kube.Service) *kube.Service {
	parts := strings.Split(strings.TrimSuffix(s.Alias, "."), ".")
	if s.Gone || s.Type != "ExternalName" || len(parts) < 3 || parts[2] != "svc" {
		return nil
	}
	return c.Service(parts[1], parts[0])
}

func circle(c *kube.Cluster, path []*kube.Service) rules.Finding {
	s := path[0]
	f := routeFinding(c, s.Ref, s.At, s.Created, len(path), "externalName %s", s.Alias)
	var names []string
	for _, o := range path {
		names = append(names, o.Name)
		if o != s && len(f.Objects) < maxNamed {
			f.Objects = append(f.Objects, *objectOf(o.Ref))
			f.Evidence = append(f.Evidence, evidence(o.At, o.Created, 1, "%s: externalName %s", kindName(o.Ref),
				o.Alias))
		}
	}
	f.Title = title(s.Ref, "stands for itself: its externalName leads back to it")
	f.Why = fmt.Sprintf("The Services %s of type ExternalName stand for each other in a circle: the name resolves to "+
		"no address.", someNames(names))
	f.Fix = fmt.Sprintf("Let one of %s name the host, or the Service, that answers.", someNames(names))
	return f
}

// runTargetPort is target-port-missing (TR783).
func runTargetPort(c *kube.Cluster) []rules.Finding {
	pods := map[string][]*kube.Pod{}
	for _, p := range c.Pods {
		if !p.Gone && p.Deleted.IsZero() && p.Phase == "Running" {
			pods[p.Namespace] = append(pods[p.Namespace], p)
		}
	}
	var found []rules.Finding
	for _, s := range c.Services {
		if s.Gone || !s.Deleted.IsZero() || len(s.Selector) == 0 || len(s.Ports) == 0 {
			continue
		}
		own := slices.DeleteFunc(slices.Clone(pods[s.Namespace]), func(p *kube.Pod) bool {
			return !selects(s.Selector, p.Labels)
		})
		if f, ok := deadTargets(c, s, own); ok {
			found = append(found, f)
		}
	}
	return found
}

// deadTargets is a Service none of whose ports leads to one of its pods' containers. That a chart names a port for
// metrics that a container lacks is common; a number may well be one that nobody declared.
func deadTargets(c *kube.Cluster, s *kube.Service, pods []*kube.Pod) (rules.Finding, bool) {
	var declared []kube.Pair
	old, named := false, true
	for _, p := range pods {
		old = old || since(c, p.Created) >= routedLong
		for i := range p.Containers {
			if p.Containers[i].Unlisted {
				return rules.Finding{}, false
			}
			declared = append(declared, p.Containers[i].Ports...)
		}
	}
	for _, port := range s.Ports {
		same := func(d kube.Pair) bool { return d.Name == port.Target || d.Value == port.Target }
		if slices.ContainsFunc(declared, same) {
			return rules.Finding{}, false
		}
		named = named && strings.Trim(port.Target, "0123456789") != ""
	}
	if !old || !named && (slices.ContainsFunc(pods, func(p *kube.Pod) bool { return !hasPorts(p) }) ||
		!mistyped(s.Ports[0].Target, declared)) {
		return rules.Finding{}, false
	}
	target, top := s.Ports[0].Target, c.Top(&pods[0].Meta)
	f := routeFinding(c, s.Ref, s.At, s.Created, len(pods), "targetPort %s", target)
	f.Evidence = append(f.Evidence, evidence(pods[0].At, pods[0].Created, 1, "%s declares %s", kindName(pods[0].Ref),
		portsOf(declared[:min(len(declared), maxNamed)])))
	f.Objects = []rules.Object{*objectOf(top)}
	f.Title = title(s.Ref, "sends to port "+target+", which no container of "+top.Name+" has",
		"sends to a port that no container has")
	f.Why = fmt.Sprintf("The targetPort of Service %s/%s is the name %s, and no container of its pods has a port of "+
		"that name: the Service has no endpoint with a port, and requests get no answer.", s.Namespace, s.Name, target)
	if !named {
		f.Severity, f.Confidence = rules.Low, rules.ConfLow
		f.Why = fmt.Sprintf("The targetPort of Service %s/%s is %s, and the containers of its pods declare other "+
			"ports. They may listen at it all the same.", s.Namespace, s.Name, target)
	} else if s.Headless {
		f.Severity = rules.Low // its name resolves to the pods, whatever the port
	}
	f.Fix = fmt.Sprintf("Set the targetPort of Service %s to a port that the containers of %s have.", s.Name,
		kindName(top))
	f.Next = append(f.Next, rules.Command(kubectlIn(s.Namespace, "get endpointslices -l kubernetes.io/service-name="+
		rules.Quote(s.Name)+" -o yaml")))
	return f, true
}

// mistyped reports a number of as many digits as a declared one, of which two at most differ: numbers that nobody
// declared are common, and of five bundles three had one.
func mistyped(port string, declared []kube.Pair) bool {
	return slices.ContainsFunc(declared, func(d kube.Pair) bool {
		differ := 0
		for i := range min(len(port), len(d.Value)) {
			if port[i] != d.Value[i] {
				differ++
			}
		}
		return len(port) == len(d.Value) && len(port) > 2 && differ <= 2
	})
}

// hasPorts reports a pod one of whose containers declares a port: where none does, nobody wrote down what
// they listen at.
func hasPorts(p *kube.Pod) bool {
	return slices.ContainsFunc(p.Containers, func(ct kube.Container) bool { return len(ct.Ports) > 0 })
}

// runBalancerRefused is balancer-refused (TR784).
func runBalancerRefused(c *kube.Cluster) []rules.Finding {
	var found []rules.Finding
	for _, s := range c.Services {
		if s.Gone || !s.Deleted.IsZero() || s.Type != "LoadBalancer" || s.Addressed ||
			since(c, s.Created) < routedLong {
			continue
		}
		for _, e := range slices.Backward(c.EventsOf("Service", s.Namespace, s.Name)) {
			if e.Type == "Warning" && strings.HasSuffix(e.Reason, "LoadBalancerFailed") &&
				since(c, e.Last) < stillRestarting && since(c, e.First) >= routedLong {
				found = append(found, balancerRefused(c, s, e))
				break
			}
		}
	}
	return found
}

func balancerRefused(c *kube.Cluster, s *kube.Service, e *kube.Event) rules.Finding {
	f := finding(s.Ref, rules.Medium, rules.ConfHigh, e.Count, e.First, e.Last)
	f.Title = title(s.Ref, "gets no load balancer: "+e.Reason)
	f.Why = fmt.Sprintf("%s is of type LoadBalancer and has no address: its controller has failed to make one for %s. "+
		"It says: %s.", kindName(s.Ref), phrase.Spell(since(c, e.First)), phrase.Quoted(e.Message))
	f.Evidence = []rules.Evidence{evidence(e.At, e.Last, e.Count, "Event %s: %s", e.Reason, e.Message)}
	f.Fix = "Give the account of the cluster's cloud what the message asks for (quota, rights, a subnet), or correct " +
		"the annotations of the Service."
	f.Next = rules.Commands(kubectlOn(s.Ref, "describe", ""))
	return f
}

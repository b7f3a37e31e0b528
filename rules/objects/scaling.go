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

// apiLong is how long an aggregated API may be away: its server is replaced within a minute or two. Chosen.
const apiLong = 5 * time.Minute

// runAPIUnavailable is api-unavailable (TR785).
func runAPIUnavailable(c *kube.Cluster) []rules.Finding {
	var found []rules.Finding
	for _, o := range c.Others {
		if cond := unavailable(c, o); cond != nil {
			found = append(found, apiUnavailable(c, o, cond))
		}
	}
	return found
}

// unavailable is the condition of an aggregated API that has not answered for long; nil for others.
func unavailable(c *kube.Cluster, o *kube.Other) *kube.Condition {
	cond := kube.Find(o.Conditions, "Available")
	if o.Kind != "APIService" || o.Gone || !o.Deleted.IsZero() || cond == nil || cond.Status != "False" ||
		since(c, cond.Since) < apiLong {
		return nil
	}
	return cond
}

func apiUnavailable(c *kube.Cluster, o *kube.Other, cond *kube.Condition) rules.Finding {
	f := finding(o.Ref, rules.Medium, rules.ConfHigh, 1, cond.Since, c.Time)
	f.Title = title(o.Ref, "is not available: "+cond.Reason)
	f.Why = fmt.Sprintf("%s has not been available for %s (%s): %s. Whatever asks for this API gets an error, and no "+
		"namespace finishes its deletion meanwhile.", kindName(o.Ref), phrase.Spell(since(c, cond.Since)), cond.Reason,
		phrase.Quoted(cond.Message))
	f.Evidence = []rules.Evidence{evidence(o.At, cond.Since, 1, "Available is False: %s: %s", cond.Reason,
		cond.Message)}
	idle := 0
	for _, s := range c.Scalers {
		if cond := idleScaler(c, s); cond != nil && servesMetrics(o) {
			if idle++; idle <= maxNamed {
				f.Evidence = append(f.Evidence, evidence(s.At, cond.Since, 1, "%s: %s: %s", kindName(s.Ref),
					cond.Reason, cond.Message))
				f.Objects = append(f.Objects, *objectOf(s.Ref))
			}
		}
	}
	if idle > 0 {
		f.Why += fmt.Sprintf(" %s can't scale because of it.", phrase.Count(idle, "HorizontalPodAutoscaler"))
	}
	f.Fix = "Bring back the Service that the message names, and the pods behind it; delete the APIService if nothing " +
		"serves it any more."
	f.Next = rules.Commands("kubectl get apiservice "+rules.Quote(o.Name)+" -o yaml", "kubectl get apiservices")
	return f
}

// servesMetrics reports one of the APIs that autoscalers read.
func servesMetrics(o *kube.Other) bool { return strings.HasSuffix(o.Name, "metrics.k8s.io") }

// idleLong is how long an autoscaler may be without its metrics: those of new pods come within two minutes, and the
// controller tries every 15 s. Chosen.
const idleLong = 10 * time.Minute

// idleScaler is the condition of an autoscaler that has not scaled for long because it can't; nil for others. One whose
// target is at 0 is disabled on purpose, and two of one target are two-autoscalers.
func idleScaler(c *kube.Cluster, s *kube.Scaler) *kube.Condition {
	if s.Gone || !s.Deleted.IsZero() {
		return nil
	}
	for _, typ := range []string{"AbleToScale", "ScalingActive"} {
		cond := kube.Find(s.Conditions, typ)
		if cond != nil && cond.Status == "False" && (strings.HasPrefix(cond.Reason, "FailedGet") ||
			strings.HasPrefix(cond.Reason, "Invalid")) && since(c, cond.Since) >= idleLong {
			return cond
		}
	}
	return nil
}

// runIdleScaler is autoscaler-idle (TR786).
// Many that can't scale for one reason are one finding.
func runIdleScaler(c *kube.Cluster) []rules.Finding {
	type key struct{ reason, cause string }
	var groups grouping[key, *kube.Scaler]
	explained := slices.ContainsFunc(c.Others, func(o *kube.Other) bool {
		return unavailable(c, o) != nil && servesMetrics(o)
	})
	for _, s := range c.Scalers {
		cond := idleScaler(c, s)
		if cond == nil || explained && strings.Contains(cond.Message, "metrics API") {
			continue // api-unavailable names it
		}
		k := key{reason: cond.Reason, cause: cond.Message}
		if i := strings.LastIndex(cond.Message, "metrics API: "); i >= 0 {
			k.cause = cond.Message[i:]
		}
		groups.add(k, s)
	}
	return groups.findings(func(_ key, ss []*kube.Scaler) rules.Finding { return idleScalerOf(c, ss) })
}

func idleScalerOf(c *kube.Cluster, ss []*kube.Scaler) rules.Finding {
	s := ss[0]
	cond := idleScaler(c, s)
	f := finding(s.Ref, rules.Medium, rules.ConfHigh, len(ss), cond.Since, c.Time)
	target := s.Target.Kind + " " + s.Target.Name
	f.Title = title(s.Ref, "can't scale "+target+": "+cond.Reason, "can't scale: "+cond.Reason)
	f.Why = fmt.Sprintf("%s has not been able to scale %s for %s: %s is False (%s). It says: %s.", kindName(s.Ref),
		target, phrase.Spell(since(c, cond.Since)), cond.Type, cond.Reason, phrase.Quoted(cond.Message))
	if len(ss) > 1 {
		f.Why += fmt.Sprintf(" The same holds for %s.", phrase.Count(len(ss)-1, "other autoscaler"))
	}
	switch {
	case strings.Contains(cond.Message, "missing request for"):
		f.Fix = fmt.Sprintf("Give each container of %s a request for the resource that the message names: a share is "+
			"computed of the request.", target)
	case cond.Reason == "FailedGetScale":
		f.Fix = fmt.Sprintf("Let scaleTargetRef of %s name a workload that is there.", kindName(s.Ref))
	default:
		f.Fix = "Bring back what serves the metrics (metrics-server for cpu and memory, an adapter for others)."
	}
	f.Objects = []rules.Object{{API: "apps/v1", Kind: s.Target.Kind, Namespace: s.Namespace, Name: s.Target.Name}}
	for _, o := range ss[:min(len(ss), maxObjectEvidence)] {
		cond := idleScaler(c, o)
		f.Evidence = append(f.Evidence, evidence(o.At, cond.Since, 1, "%s: %s is False: %s: %s", kindName(o.Ref),
			cond.Type, cond.Reason, cond.Message))
		if o != s && len(f.Objects) < maxNamed {
			f.Objects = append(f.Objects, *objectOf(o.Ref))
		}
	}
	f.Next = rules.Commands(kubectlIn(s.Namespace, "describe hpa "+rules.Quote(s.Name)), "kubectl get apiservices")
	return f
}

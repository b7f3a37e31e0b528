package objects

import (
	"cmp"
	"fmt"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
)

// Thresholds of objects that are written again and again.
const (
	// churnVersions is how many versions of an object say that it is not chance.
	churnVersions = 3
	// hotGap is the longest mean time between versions of a loop: resyncs of informers take 10 minutes and more,
	// kubelets report every 5 minutes, and the founding case wrote once a second.
	hotGap = time.Minute
	// slowGap is when no one is hurt any more: the resync of an informer (10 minutes and more) writes as often.
	slowGap = 10 * time.Minute
	// fresh is how near to the bundle's time a write counts as near: 16 of 1,182 objects in a real bundle of a cluster
	// that did nothing else (measured).
	fresh = 2 * time.Minute
	// settled is how old an object has to be: a younger one is written because it is new (chosen, as long as a pod
	// may take to start).
	settled = 10 * time.Minute
)

// ownHeartbeat reports kinds that live by being written: nodes and what their agents report.
func ownHeartbeat(m *kube.Meta) bool {
	switch m.Kind {
	case "Node", "Lease", "CSINode", "Endpoints", "EndpointSlice", "Event", "PodMetrics", "NodeMetrics",
		"ResourceSlice":
		return true
	}
	return m.WrittenBy != nil && m.WrittenBy.Manager == "kubelet"
}

// everyMeta calls f for all objects but Events and Leases.
func everyMeta(c *kube.Cluster, f func(*kube.Meta)) {
	for _, o := range c.Others {
		f(&o.Meta)
	}
	for _, o := range c.Workloads {
		f(&o.Meta)
	}
	for _, o := range c.Pods {
		f(&o.Meta)
	}
	for _, o := range c.Claims {
		f(&o.Meta)
	}
	for _, o := range c.Volumes {
		f(&o.Meta)
	}
	for _, o := range c.Namespaces {
		f(&o.Meta)
	}
	for _, o := range c.Nodes {
		f(&o.Meta)
	}
	for _, o := range c.Classes {
		f(&o.Meta)
	}
}

// meanGap is the time between versions, at most: others may lie between those that were seen. ok is false where the
// versions have no times.
func meanGap(h *kube.History) (gap time.Duration, ok bool) {
	if h.From.IsZero() || h.To.IsZero() || !h.To.After(h.From) {
		return 0, false
	}
	return h.To.Sub(h.From) / time.Duration(h.Versions-1), true
}

// historyEvidence are the oldest and the newest version, and the fields between them.
func historyEvidence(m *kube.Meta) []rules.Evidence {
	h := m.History
	all := []rules.Evidence{
		kubeEvidence(h.First, h.From, h.Versions, "oldest of %d versions", h.Versions),
		kubeEvidence(h.Last, h.To, 1, "newest version, resourceVersion %s", cmp.Or(m.ResourceVersion, "unknown")),
	}
	for _, f := range h.Fields[:min(len(h.Fields), maxObjectEvidence/2)] {
		text := fmt.Sprintf("%s: differs between %d of %d neighbouring versions", f.Path, f.Changes, h.Versions-1)
		if len(f.Values) == 2 {
			text += fmt.Sprintf(", at last %s → %s", f.Values[0], f.Values[1])
		}
		all = append(all, kubeEvidence(h.Last, h.To, f.Changes, "%s", text))
	}
	return all
}

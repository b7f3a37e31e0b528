package convert

import (
	"cmp"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/triage/schema"
)

// Cluster sums up the objects for the report; nil where there are none.
func Cluster(c *kube.Cluster) *schema.Cluster {
	if c == nil {
		return nil
	}
	out := &schema.Cluster{
		Version: c.Bundle.Kubernetes, Objects: c.Count, Nodes: len(c.Nodes), Kinds: kindsOf(c), Gaps: []schema.Gap{},
		Time: Time(c.Time),
	}
	phases := map[string]int64{}
	for _, p := range c.Pods {
		phases[cmp.Or(p.Phase, "Unknown")]++
	}
	out.Pods = talliesOf(phases)
	for _, g := range c.Gaps[:min(len(c.Gaps), maxGaps)] {
		out.Gaps = append(out.Gaps, schema.Gap{Input: g.Input, Line: g.Line, Text: g.Text})
	}
	return out
}

// maxGaps is how many gaps are listed: the bound of the contract's other lists.
const maxGaps = 100

// maxKinds is how many kinds of objects are listed: the bound of the contract's other lists.
const maxKinds = 100

func kindsOf(c *kube.Cluster) []schema.Tally {
	kinds := map[string]int64{}
	for what, n := range map[string]int{
		"Pod": len(c.Pods), "Node": len(c.Nodes), "Namespace": len(c.Namespaces), "StorageClass": len(c.Classes),
		"PersistentVolumeClaim": len(c.Claims), "PersistentVolume": len(c.Volumes), "Lease": len(c.Leases),
		"Event": len(c.Events),
	} {
		if n > 0 {
			kinds[what] = int64(n)
		}
	}
	for _, w := range c.Workloads {
		kinds[w.Kind]++
	}
	for _, o := range c.Others {
		kinds[o.Kind]++
	}
	all := talliesOf(kinds)
	return all[:min(len(all), maxKinds)]
}

// Time writes a time of the report, RFC 3339 in UTC; "" for none.
func Time(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// talliesOf orders counts, most first; equal ones by name.
func talliesOf(counts map[string]int64) []schema.Tally {
	all := make([]schema.Tally, 0, len(counts))
	for name, n := range counts {
		all = append(all, schema.Tally{Name: name, Count: n})
	}
	slices.SortFunc(all, func(a, b schema.Tally) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name))
	})
	return all
}

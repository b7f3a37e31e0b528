package triage

import (
	"cmp"
	"slices"
	"time"

	"github.com/gotriage/triage/internal/audit"
	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
)

// clusterOf puts together what all readings tell of Kubernetes objects; nil where none does.
func clusterOf(readings []*reading) *kube.Cluster {
	var all []*kube.Objects
	for _, rd := range readings {
		if rd.objects != nil {
			all = append(all, rd.objects)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return kube.Merge(all)
}

// trailOf puts the audit logs of all readings into one order; nil where there are none.
func trailOf(readings []*reading) *audit.Trail {
	var all []*audit.Log
	for _, rd := range readings {
		if rd.audit != nil {
			all = append(all, rd.audit)
		}
	}
	if len(all) == 0 {
		return nil
	}
	return audit.Merge(all)
}

// minStamped is how many lines with times make a log that rules look at: repetition needs two.
const minStamped = 2

// logsOf are the readings whose lines were mined, in order of inputs.
func logsOf(readings []*reading) []*rules.LogInput {
	var all []*rules.LogInput
	for _, rd := range readings {
		if rd.log == nil || rd.log.Stamped < minStamped {
			continue
		}
		path := firstPath(rd.source)
		in := &rules.LogInput{Log: rd.log, Input: path, Locate: rd.result.Locate, Target: targetFrom(path, rd.source.Origin)}
		if streams := rd.result.Streams; len(streams) == 1 {
			in.Target = targetFrom(path, rd.origin(0))
		} else if slices.ContainsFunc(streams, func(s ingest.Stream) bool { return s.Origin.Pod != "" }) {
			in.StreamTarget = func(stream int32) rules.Target { return targetFrom(path, rd.origin(stream)) }
		}
		all = append(all, in)
	}
	return all
}

// convertCluster sums up the objects for the report; nil where there are none.
func convertCluster(c *kube.Cluster) *Cluster {
	if c == nil {
		return nil
	}
	out := &Cluster{Version: c.Bundle.Kubernetes, Objects: c.Count, Nodes: len(c.Nodes), Kinds: kindsOf(c), Pods: []Tally{}, Gaps: []Gap{}}
	if !c.Time.IsZero() {
		out.Time = c.Time.UTC().Format(time.RFC3339)
	}
	phases := map[string]int64{}
	for _, p := range c.Pods {
		phases[cmp.Or(p.Phase, "Unknown")]++
	}
	out.Pods = append(out.Pods, talliesOf(phases)...)
	for _, g := range c.Gaps[:min(len(c.Gaps), MaxGaps)] {
		out.Gaps = append(out.Gaps, Gap{Input: g.Input, Line: g.Line, Text: g.Text})
	}
	return out
}

// maxKinds is how many kinds of objects are listed: the bound of the contract's other lists.
const maxKinds = 100

func kindsOf(c *kube.Cluster) []Tally {
	kinds := map[string]int64{}
	for what, n := range map[string]int{
		"Pod": len(c.Pods), "Node": len(c.Nodes), "PersistentVolumeClaim": len(c.Claims), "PersistentVolume": len(c.Volumes),
		"StorageClass": len(c.Classes), "Namespace": len(c.Namespaces), "Lease": len(c.Leases), "Event": len(c.Events),
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

// talliesOf orders counts, most first; equal ones by name.
func talliesOf(counts map[string]int64) []Tally {
	all := make([]Tally, 0, len(counts))
	for name, n := range counts {
		all = append(all, Tally{Name: name, Count: n})
	}
	slices.SortFunc(all, func(a, b Tally) int { return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Name, b.Name)) })
	return all
}

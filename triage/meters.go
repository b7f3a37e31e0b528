package triage

import (
	"strings"

	"github.com/gotriage/triage/internal/cgroup"
	"github.com/gotriage/triage/internal/ingest"
	"github.com/gotriage/triage/internal/kube"
	"github.com/gotriage/triage/rules"
	"github.com/gotriage/triage/triage/internal/identity"
	"github.com/gotriage/triage/triage/internal/sources"
)

// metersOf are the metrics and the control groups of all sources, each with the process that it is of as far as paths,
// names of files and objects show it.
func metersOf(
	results []*sources.Result, cluster *kube.Cluster, named identity.Naming,
) (metrics, cgroups []*rules.MeterInput) {
	from := map[string]ingest.Origin{}
	var groups [][]*cgroup.Group
	for _, result := range results {
		path := sources.FirstPath(result.Source)
		for _, s := range result.Metrics {
			in := &rules.MeterInput{Meter: s, Input: path}
			in.Target, in.Process = named.Of(path, result.Source.Origin, "")
			metrics = append(metrics, in)
		}
		if len(result.Cgroups) > 0 {
			from[path] = result.Source.Origin
			groups = append(groups, result.Cgroups)
		}
	}
	if len(groups) == 0 {
		return metrics, nil
	}
	pods := podsByUID(cluster)
	for _, g := range cgroup.Merge(groups) {
		in := &rules.MeterInput{Meter: g, Input: g.Input}
		in.Target, in.Process = named.Of(g.Input, from[g.Input], "")
		if p := pods[g.PodUID]; p != nil {
			in.Target.Namespace, in.Target.Pod, in.Target.Node = p.Namespace, p.Name, p.Node
			in.Target.Container = containerOf(p, g.ID)
		}
		cgroups = append(cgroups, in)
	}
	return metrics, cgroups
}

func podsByUID(c *kube.Cluster) map[string]*kube.Pod {
	pods := map[string]*kube.Pod{}
	if c != nil {
		for _, p := range c.Pods {
			if p.UID != "" {
				pods[p.UID] = p
			}
		}
	}
	return pods
}

// containerOf is the name of a pod's container with that id, "" for none.
func containerOf(p *kube.Pod, id string) string {
	for i := range p.Containers {
		if c := &p.Containers[i]; id != "" && strings.EqualFold(c.ID, id) {
			return c.Name
		}
	}
	return ""
}

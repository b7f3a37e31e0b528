package report

import (
	"strings"

	"github.com/gotriage/triage/rules/phrase"
	"github.com/gotriage/triage/triage/schema"
)

// What is shown of a bundle's gaps without TextOptions.All.
const (
	gapRows  = 5
	gapLines = 2 // of each
)

// cluster sums up the Kubernetes objects in one sentence.
func (v *view) cluster() {
	if c := v.r.Cluster; c != nil {
		if text := v.clusterText(c); text != "" {
			v.section("CLUSTER", text)
		}
	}
}

// clusterText is "Kubernetes v1.21.7 as of 2022-03-22 23:49:32; 1 node; 42 pods: 40 Running, 2 Succeeded; 1,182
// objects".
func (v *view) clusterText(c *schema.Cluster) string {
	pods := int64(0)
	for _, p := range c.Pods {
		pods += p.Count
	}
	return joined("; ",
		strings.TrimSpace(behind("Kubernetes ", c.Version)+behind(" as of ", when(c.Time))),
		countOf(c.Nodes, "node"),
		given(pods > 0, phrase.Count(pods, "pod")+": "+v.tallies(c.Pods, len(c.Pods))),
		given(c.Objects > 0, phrase.Count(c.Objects, "object")+
			given(len(c.Kinds) > 0 && v.all, ": "+v.tallies(c.Kinds, len(c.Kinds)))))
}

// gaps writes what a bundle lacks by its own words: what isn't there proves nothing.
func (v *view) gaps() {
	if v.r.Cluster == nil || len(v.r.Cluster.Gaps) == 0 {
		return
	}
	gaps := v.r.Cluster.Gaps
	v.section("NOT COLLECTED", "says the bundle itself")
	for i := range gaps {
		if i == gapRows && !v.all {
			v.line(plain("  +" + phrase.Number(len(gaps)-i) + " more"))
			return
		}
		v.hanging(v.at(gaps[i].Input, gaps[i].Line)+": "+gaps[i].Text, 2, gapLines)
	}
}
